import { expect, test } from 'vitest';
import { ANSWER_BOUNDS } from '../../../src/domain/copilot/copilot.ts';
import { firstShown, historyFor } from '../../../src/domain/copilot/history.ts';

const ID = '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e6f';
const citation = { number: 1, kind: 'call', id: ID, turn: 2, label: 'Call', href: '/' } as const;

test('an earlier answer cites again by marks, and a number that stands for nothing goes', () => {
  const said = historyFor([
    { role: 'person', text: 'why?', citations: [] },
    { role: 'copilot', text: 'so [^1][^2]', citations: [citation] },
  ]);
  expect(said).toEqual([
    { role: 'person', text: 'why?' },
    { role: 'copilot', text: `so [call:${ID}#2]` },
  ]);
});

test('of a long conversation the newest is kept, from a question on', () => {
  const long = 'x'.repeat(ANSWER_BOUNDS.historyCharacters / 3);
  const messages = [1, 2, 3, 4].flatMap((at) => [
    { role: 'person' as const, text: `question ${at}`, citations: [] },
    { role: 'copilot' as const, text: long, citations: [] },
  ]);
  const kept = historyFor(messages);
  expect(kept.map(({ text }) => text.slice(0, 10))).toEqual(['question 3', 'xxxxxxxxxx', 'question 4', 'xxxxxxxxxx']);
});

test('an answer that has no words is left out', () => {
  expect(
    historyFor([
      { role: 'person', text: 'a', citations: [] },
      { role: 'copilot', text: ' ', citations: [] },
    ]),
  ).toEqual([{ role: 'person', text: 'a' }]);
});

test('of what tools answered, what came first goes', () => {
  const half = ANSWER_BOUNDS.resultsCharacters / 2;
  expect([
    firstShown([]),
    firstShown([half, half]),
    firstShown([1, half, half]),
    firstShown([half, half, half]),
  ]).toEqual([0, 0, 1, 1]);
});
