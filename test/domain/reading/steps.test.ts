import { describe, expect, test } from 'vitest';
import type { AnsweredFinding } from '../../../src/domain/reading/answer.ts';
import { readingNote } from '../../../src/domain/reading/reading-note.ts';
import { type ReadingAnswers, readingSteps, withAnswer, withoutAnswer } from '../../../src/domain/reading/steps.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';
import { answered, cited, finding } from './answers.ts';

const LINES: Line[] = [
  { a: 'Front desk, how can I help?' },
  { c: 'book me in for the fifteenth, not the fourteenth' },
  { a: 'The fourteenth, then. You are booked in.' },
  { c: 'thank you, bye' },
];
const WRONG = finding('correction_not_applied', 2, 'The fourteenth, then.', [cited(1, 'the fifteenth')]);
const ENDED = { turn: 2, quote: 'You are booked in.', because: 'It was booked.' };

function opened(trusted: string[] = []) {
  const { call, configuration } = scripted(LINES, {});
  const analysis = analyseCall({ call, configuration }, {});
  return readingSteps({
    call,
    configuration,
    isCallerKnown: false,
    analysis,
    knownOthers: [],
    trusted: new Set(trusted),
  });
}
const NOTHING: ReadingAnswers = { windows: [] };

/** Answers the question that is open. */
function after(answers: ReadingAnswers, value: unknown, step = opened()): ReadingAnswers {
  const { question } = step(answers);
  if (question === null) throw new Error('nothing is open');
  return withAnswer(answers, question, value);
}

const kindAfter = (answers: ReadingAnswers, trusted: string[] = []) => opened(trusted)(answers).question?.kind ?? null;

describe('what is asked about a call', () => {
  test('the call itself, and nothing more where nothing is found on a call that ended well', () => {
    expect(kindAfter(NOTHING)).toBe('window');
    expect(opened()(NOTHING).checked).toBeNull();
    const read = after(NOTHING, answered({ outcome: { ...ENDED, value: 'resolved' } }));
    expect(kindAfter(read)).toBeNull();
    expect(opened()(read).checked?.outcome?.value).toBe('resolved');
  });

  test('a finding is looked at twice, unless people have shown its code to be right', () => {
    const read = after(NOTHING, answered({ findings: [WRONG], outcome: { ...ENDED, value: 'resolved' } }));
    expect(kindAfter(read)).toBe('second_look');
    expect(kindAfter(read, ['correction_not_applied'])).toBeNull();
    const held = after(read, { findings: [{ number: 1, turn: 2, quote: 'The fourteenth', holds: true }] });
    expect(opened()(held).checked?.findings).toMatchObject([{ code: 'correction_not_applied', holds: true }]);
    const without = withoutAnswer(read, opened()(read).question as never);
    expect(opened()(without).checked?.findings).toMatchObject([{ code: 'correction_not_applied', holds: false }]);
  });

  test('a call that ended badly and shows no reason is read once more, a few turns at a time', () => {
    const read = after(NOTHING, answered({ outcome: { ...ENDED, value: 'unresolved' } }));
    expect(kindAfter(read)).toBe('stretches');
    expect(kindAfter(after(read, { stretches: [], findings: [] }))).toBeNull();
    expect(kindAfter(after(read, { stretches: [], findings: [WRONG] }))).toBe('second_look');
  });
});

describe('an answer of 10,000 findings', () => {
  const many = (code: (at: number) => string): AnsweredFinding[] =>
    Array.from({ length: 10_000 }, (_, at) => ({ ...WRONG, code: code(at), because: 'x'.repeat(50) }));

  test.each([
    ['invented codes', (at: number) => `made_up_${at}`, '9,960 beyond the most that one call keeps'],
    ['the same one', () => 'correction_not_applied', '39 found twice, 9,960 beyond the most that one call keeps'],
  ])('%s: is kept within bounds, and says how many were not taken', (_, code, words) => {
    const read = after(NOTHING, answered({ findings: many(code), outcome: { ...ENDED, value: 'resolved' } }));
    expect(JSON.stringify(read).length).toBeLessThan(20_000);
    const { checked } = opened()(read);
    expect(checked?.leftOut).toBe(9_960);
    expect(checked?.dropped.length).toBeLessThanOrEqual(40);
    expect(checked && readingNote(checked)).toContain(words);
  });

  test('a reading of which everything was taken has nothing to say of it', () => {
    expect(readingNote({ dropped: [], addressed: false })).toBeNull();
  });
});
