import { describe, expect, test } from 'vitest';
import { readClaims } from '../../../src/domain/calls/claims.ts';
import {
  type Evidence,
  gatherEvidence,
  isAfter,
  isHandedOn,
  latest,
} from '../../../src/domain/calls/outcome-evidence.ts';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import { asLine } from '../acts/talk.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';
import { used } from './ledger/found.ts';

function evidenceOf(...lines: readonly (string | Line)[]): Evidence {
  const reading = readTurns(scripted(lines.map((line) => (typeof line === 'string' ? asLine(line) : line))));
  return gatherEvidence(reading, readClaims(reading));
}

const ASKED = 'c: I want to book the court for tonight please';
const BOOKED = used('book_court', { court: 3 }, { id: 'C3' });
const NO: Line[] = used('book_court', { court: 3 }, { slots: [] });
const FAULT: Line[] = [
  { call: 'book_court', args: { court: 3 } },
  { result: 'book_court', body: 'Error: request timed out' },
];
const TEXT = used('send_sms', { to: 'x' }, { ok: true });
const CALLBACK = used('request_callback', { to: 'x' }, { ok: true });

describe('what the tools of a call came to', () => {
  test.each<[string, Line[], Partial<Evidence>]>([
    ['a write that worked is a success', BOOKED, { success: 2, refusal: null, failure: null }],
    ['a look-up that worked is an answer', used('get_court', {}, { id: 'C3' }), { success: null, answer: 2 }],
    ['a no of the business is a refusal', NO, { success: null, refusal: 2, failure: null }],
    ['a fault is a failure', FAULT, { success: null, refusal: null, failure: 2 }],
    ['the last of each counts', [...NO, ...BOOKED, ...FAULT], { success: 4, failure: 6 }],
    ['a no that is worked around at once is none', [...NO, ...BOOKED], { success: 4, refusal: null }],
    ['what goes with the matter is no success', [...NO, ...TEXT], { success: null, refusal: 2 }],
    ['a call back is handed on', CALLBACK, { success: null, relayed: 2 }],
    ['a hand-over is no success', used('transfer_call', {}, { ok: true }), { success: null, failure: null }],
  ])('%s', (_, uses, expected) => {
    expect(evidenceOf(ASKED, ...uses)).toMatchObject(expected);
  });

  test('a failed hand-over is a failure and stays the hand-over', () => {
    const failed = evidenceOf(
      ASKED,
      { call: 'transfer_call' },
      { result: 'transfer_call', body: 'Error: busy', ok: false },
    );
    expect(failed).toMatchObject({ failure: 2, transfer: { name: 'transfer_call' } });
  });

  test('a tool that books by name only looked, where the agent then asks whether it should', () => {
    expect(evidenceOf(ASKED, ...BOOKED, 'a: Court 3 is free. Shall I book it for you?')).toMatchObject({
      success: null,
      answer: 2,
    });
    expect(evidenceOf(ASKED, ...BOOKED, 'a: Court 3 is yours tonight.')).toMatchObject({ success: 2 });
  });
});

describe('a matter is handed on', () => {
  test.each<[string, Line[], boolean]>([
    ['where somebody will call instead', CALLBACK, true],
    ['not where it was done as well', [...BOOKED, ...CALLBACK], false],
    ['where what was done failed later', [...BOOKED, ...FAULT, ...CALLBACK], true],
    ['not where nobody will call', BOOKED, false],
  ])('%s', (_, uses, expected) => {
    expect(isHandedOn(evidenceOf(ASKED, ...uses))).toBe(expected);
  });
});

describe('the later of two turns', () => {
  test.each<[number | null, number | null, number | null, boolean]>([
    [3, 5, 5, false],
    [5, 3, 5, true],
    [4, 4, 4, true],
    [0, null, 0, true],
    [null, 0, 0, false],
    [null, null, null, false],
  ])('of %s and %s is %s', (a, b, later, after) => {
    expect(latest(a, b)).toBe(later);
    expect(isAfter(a, b)).toBe(after);
  });
});
