import { describe, expect, test } from 'vitest';
import { type BoardFacts, summarise } from '../../../src/domain/issues/board-summary.ts';

const summary = (facts: Partial<BoardFacts>) =>
  summarise({
    calls: 40,
    endedBadly: 0,
    explained: 0,
    counted: 0,
    signals: 0,
    callsWithSignals: 0,
    listed: 0,
    unconfirmed: [],
    hidden: { folded: 0, tooSmall: 0, heldBack: 0, snoozed: 0, resolved: 0 },
    missing: [],
    ...facts,
  });
const pattern = (title: string, calls = 2) => ({ title, place: 'book_table', calls });
const gap = (codes: number, remedy: string | null) => ({
  codes: Array.from({ length: codes }, (_, at) => `code_${at}`),
  remedy,
  reason: 'No times.',
});

test.each<[string, Partial<BoardFacts>, string]>([
  ['no call', { calls: 0, listed: 3 }, 'No call has been analysed yet.'],
  ['a healthy board', {}, 'No issue is confirmed on 40 calls. No signal was noticed. No call ended badly.'],
  [
    'one of each',
    { calls: 1, listed: 1, signals: 1, callsWithSignals: 1, endedBadly: 1, explained: 1 },
    '1 issue is listed on 1 call. 1 signal was noticed on 1 call. 1 call ended badly: 1 with a listed issue.',
  ],
  [
    'several',
    { listed: 2, signals: 9, callsWithSignals: 7, endedBadly: 6, explained: 2, counted: 3 },
    '2 issues are listed on 40 calls. 9 signals were noticed on 7 calls. 6 calls ended badly: 2 with a listed issue, 3 without one in rows that say what they have in common.',
  ],
  [
    'nothing explained',
    { endedBadly: 6 },
    'No issue is confirmed on 40 calls. No signal was noticed. 6 calls ended badly, none with a listed issue.',
  ],
])('a board in sentences: %s', (_, facts, sentences) => {
  expect(summary(facts)).toBe(sentences);
});

describe('what is too small is told', () => {
  const unconfirmed = [pattern('Slow', 2), pattern('Loud', 1), pattern('Odd'), pattern('Rude')];

  test('of an empty board, the first three', () => {
    expect(summary({ unconfirmed })).toContain(
      'Too small to be confirmed: “Slow” at book_table (2 calls), “Loud” at book_table (1 call), “Odd” at book_table (2 calls).',
    );
  });

  test('and of no other', () => {
    expect(summary({ unconfirmed, listed: 1 })).not.toContain('Too small');
  });
});

describe('what could not be computed is told', () => {
  test.each([
    ['one code', [gap(1, null)], '1 code could be computed on no call.'],
    ['with what would help', [gap(2, 'Send times.')], '2 codes could be computed on no call. 2 of them: Send times.'],
    [
      'with what would help first',
      [gap(2, null), gap(3, 'A.'), gap(1, 'B.'), gap(1, 'C.'), gap(1, 'D.')],
      '8 codes could be computed on no call. 3 of them: A. 1 of them: B. 1 of them: C.',
    ],
  ])('%s', (_, missing, sentence) => {
    const said = summary({ missing });
    expect(said.slice(said.indexOf('badly.') + 'badly. '.length)).toBe(sentence);
  });
});
