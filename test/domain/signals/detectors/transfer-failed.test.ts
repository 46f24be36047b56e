import { expect, test } from 'vitest';
import type { Json } from '../../../../src/domain/json.ts';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { type Given, type Line, scripted } from '../scripted-call.ts';

const found = (lines: Line[], given: Given = {}) =>
  analyseCall(scripted([{ c: 'the harbour master please' }, ...lines], given), {})
    .signals.filter(({ code }) => code === 'transfer_failed')
    .map(({ turnIndex, place }) => `${turnIndex} ${place.id}`);

const tried = (body: Json): Line[] => [
  { call: 'transfer_call', args: {} },
  { result: 'transfer_call', body },
];
const ended = (disconnectionReason: string, hint: 'unknown' | 'transferred' = 'unknown'): Given => ({
  disconnectionReason,
  ending: { hint, family: 'unknown', endedBy: 'platform' },
});

test.each<[string, Json]>([
  ['an error', { status: 500, message: 'bridge is down' }],
  ['a no', { success: false, message: 'No agents available' }],
])('a hand-over that ends in %s is found at its result', (_, body) => {
  expect(found(tried(body))).toEqual(['2 transfer_call']);
});

test.each([
  'transfer-failed',
  'transfer_no_answer',
  'call.in-progress.error-transfer-failed',
  'transfer_cancelled',
  'forwarding-operator-busy',
  'TRANSFER ERROR',
])('so is one that the platform ended the call with: %s', (reason) => {
  expect(found([{ a: 'One moment.' }], ended(reason))).toHaveLength(1);
});

test.each<[string, Line[], Given]>([
  ['it worked', tried({ success: true }), {}],
  ['it worked, and nobody says more', tried('ok'), {}],
  ['the caller hung up', [{ a: 'One moment.' }], ended('user_hangup')],
  ['the call was handed over', [{ a: 'One moment.' }], ended('transfer_cancelled', 'transferred')],
  ['the reason only speaks of a hand-over', [{ a: 'One moment.' }], ended('call_transfer')],
  ['nobody was busy with one', [{ a: 'One moment.' }], ended('line_busy')],
  ['another tool failed', [{ call: 'find_berth' }, { result: 'find_berth', body: { status: 500 } }], {}],
])('nothing is found where %s', (_, lines, given) => {
  expect(found(lines, given)).toEqual([]);
});

test('what the tool and the platform tell of one failure is found once', () => {
  expect(found(tried({ status: 500, message: 'bridge is down' }), ended('transfer-failed'))).toEqual([
    '2 transfer_call',
  ]);
});

test('without a result of it the hand-over that was tried is the place', () => {
  expect(found([{ call: 'transfer_call' }, { a: 'One moment.' }], ended('transfer-failed'))).toEqual([
    '2 transfer_call',
  ]);
});
