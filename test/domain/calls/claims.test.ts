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

test('a claim after a failure is no claim without a tool as well', () => {
  const call = scripted(
    [
      WISH,
      ...OK,
      { a: "I've booked your table. Can I send you the details?" },
      { c: 'Yes, please.' },
      { call: 'send_text_confirmation' },
      { result: 'send_text_confirmation', body: { status: 'error', message: 'Sender id is blocked' } },
      { a: 'Good. The text has been sent to your phone.' },
      { c: 'Nothing has come so far.' },
    ],
    { configuration: { tools: [TEXTING] } },
  );
  const codes = analyseCall(call, {}).signals.map(({ code }) => code);
  expect(codes).toContain('claimed_after_failure');
  expect(codes).not.toContain('claimed_without_tool');
});

const TEXTING = {
  id: 'text',
  name: 'send_text_confirmation',
  description: '',
  kind: 'other' as const,
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
};

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

  test.each([
    ['read out with a number that only the look-up knew', 'Drei Plätze sind frei, vier Familien sind vorgemerkt.', []],
    ['told of the number that the caller named', 'Zwei Plätze sind vorgemerkt.', ['unbacked']],
    ['told of a number that no look-up gave', 'Sieben Plätze sind vorgemerkt.', ['unbacked']],
  ])('a state %s', (_what, line, verdicts) => {
    const lines: Line[] = [
      { c: 'ich möchte bitte zwei Plätze reservieren' },
      { call: 'freie_plaetze' },
      { result: 'freie_plaetze', body: { frei: 3, gewuenscht: 2, vorgemerkte: 4 } },
      { a: line },
    ];
    const { claims } = analyseCall(scripted(lines, { language: 'de-DE' }), {});
    expect(claims.map(({ verdict }) => verdict)).toEqual(verdicts);
  });
});
