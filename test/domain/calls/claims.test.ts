import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

const WISH: Line = { c: 'Please book a table for two.' };
const OK: Line[] = [{ call: 'book_table' }, { result: 'book_table', body: { success: true } }];
const FAIL: Line[] = [{ call: 'book_table' }, { result: 'book_table', body: { error: 'internal' } }];
const NO: Line[] = [{ call: 'book_table' }, { result: 'book_table', body: { slots: [] } }];
const LOOK: Line[] = [{ call: 'find_guest' }, { result: 'find_guest', body: { id: 4 } }];

function ledger(lines: Line[]) {
  return analyseCall(scripted(lines), {}).claims.map((claim) => ({ verdict: claim.verdict, backedBy: claim.backedBy }));
}

describe('a claim of the agent is', () => {
  test('backed by the result that did it', () => {
    expect(ledger([WISH, ...OK, { a: "I've booked your table." }])).toEqual([{ verdict: 'backed', backedBy: 2 }]);
  });
  test('backed by a call in the same breath', () => {
    expect(ledger([WISH, { a: 'Your table has been booked.' }, ...OK])).toEqual([{ verdict: 'backed', backedBy: 3 }]);
  });
  test('backed when it repeats what had worked before', () => {
    expect(
      ledger([
        WISH,
        ...OK,
        { a: "I've booked it." },
        { c: 'Another one, please.' },
        ...FAIL,
        { a: "As before, I've booked the first one." },
      ]).map((one) => one.verdict),
    ).toEqual(['backed', 'backed']);
  });
  test('after a failure when the last result was an error', () => {
    expect(ledger([WISH, ...FAIL, { a: "I've booked your table." }])).toEqual([
      { verdict: 'after_failure', backedBy: 2 },
    ]);
  });
  test('contradicted when the business had said no', () => {
    expect(ledger([WISH, ...NO, { a: 'Your table is booked.' }])).toEqual([{ verdict: 'contradicted', backedBy: 2 }]);
  });
  test('unbacked when no tool did anything like it', () => {
    expect(ledger([WISH, ...LOOK, { a: "I've booked your table." }])).toEqual([
      { verdict: 'unbacked', backedBy: null },
    ]);
  });
});

describe('no claim is', () => {
  test.each([
    ['a condition', 'Once I have booked your table I will call you.'],
    ['a question', 'Have I booked the table already?'],
    ['a denial', 'Your table has not been booked.'],
    ['a promise', 'I will have it booked by tomorrow.'],
    ['somebody else’s deed', 'The flight has been cancelled by the airline.'],
    ['a state that is read out', 'I see you are booked for Friday.'],
    ['a plan', 'You are scheduled to depart at nine.'],
  ])('%s', (_what, line) => {
    expect(ledger([WISH, ...LOOK, { a: line }])).toEqual([]);
  });

  test('judged where the record holds no tools at all', () => {
    expect(ledger([WISH, { a: "I've booked your table." }])).toEqual([]);
  });
});
