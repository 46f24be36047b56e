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
import { readCall } from '../../../src/domain/signals/reading.ts';
import { asLine } from '../acts/talk.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';
import { used } from './ledger/found.ts';

function evidenceOf(...lines: readonly (string | Line)[]): Evidence {
  const input = scripted(lines.map((line) => (typeof line === 'string' ? asLine(line) : line)));
  const reading = readTurns(input);
  return gatherEvidence(reading, readClaims(reading), readCall(input).findings());
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

describe('a go-ahead is left unanswered', () => {
  const looked = used('get_court', {}, { id: 'C3' });

  test.each<[string, (string | Line)[], number | null]>([
    ['where the call ends on it', ['a: Court 3 at eight, shall I book it?', 'c: yes go ahead'], 4],
    ['not where a tool acted on it', ['a: Shall I book it?', 'c: yes go ahead', ...BOOKED], null],
    ['not where the agent spoke after it', ['a: Shall I book it?', 'c: yes go ahead', 'a: Right.'], null],
    ['not where the caller said no', ['a: Shall I book it?', 'c: no, go ahead without me'], null],
    ['not where nothing was asked', ['a: Court 3 is free.', 'c: yes go ahead'], null],
  ])('%s', (_, lines, turn) => {
    expect(evidenceOf(ASKED, ...looked, ...lines).goAhead).toBe(turn);
  });

  test('not where the agent has no tools', () => {
    expect(evidenceOf(ASKED, 'a: Shall I book it?', 'c: yes go ahead').goAhead).toBeNull();
  });
});

describe('words settle a matter only where there are no tools', () => {
  const answered = ['c: how late are you open?', 'a: We are open until ten in the evening.', 'c: great, thank you'];

  test('the caller asked, was told and said thanks', () => {
    expect(evidenceOf(...answered)).toMatchObject({ answer: 1, accepted: 2, callerClosed: 2 });
  });
  test.each<[string, (string | Line)[]]>([
    ['a question is no answer', ['c: how late are you open?', 'a: On which day would you like to come?', 'c: thanks']],
    ['a word or two are no answer', ['c: how late are you open?', 'a: Until ten.', 'c: thanks']],
    [
      'a caller who asks on has not accepted',
      ['c: how late are you open?', answered[1] ?? '', 'c: thanks, and on Sunday?'],
    ],
    ['what tools did counts', [...used('get_hours', {}, { slots: [] }), ...answered]],
  ])('%s', (_, lines) => {
    expect(evidenceOf(...lines).answer).toBeNull();
  });
});

describe('what differs from the record', () => {
  const charge = (amount: number): Line[] => used('pay_court', { court: 3 }, { court: 'C3', amount });
  const told = 'a: It is paid, you were charged $20.';

  test('lasts where nothing mended it', () => {
    expect(evidenceOf('c: I want to pay $12', ...charge(12), told, 'c: okay').differs?.rule).toBe('amount_differs');
  });
  test('is mended by a later success of the same tool', () => {
    const mended = evidenceOf('c: I want to pay $12', ...charge(12), told, 'c: no', ...charge(20), 'a: Done.');
    expect(mended.differs).toBeNull();
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
