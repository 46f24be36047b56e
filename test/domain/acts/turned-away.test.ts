import { expect, test } from 'vitest';
import type { ActValue } from '../../../src/domain/acts/act.ts';
import { isDecided, turnedAway } from '../../../src/domain/acts/turned-away.ts';
import { talk } from './talk.ts';

/** Which of the days that the caller names is turned away from, where the agent's last word on the day stands. */
function left(standing: string, said: string): string | null {
  const [agent, turn] = talk(`a: ${standing}`, `c: ${said}`).spoken;
  const dates = (values: readonly ActValue[] = []) => values.filter(({ slot }) => slot === 'date');
  const [day] = dates(agent?.values);
  if (turn === undefined || day === undefined) throw new Error('Nothing stands.');
  return turnedAway(turn, dates(turn.values), day)?.text ?? null;
}

test.each([
  ["oh the fourth that's when I'm away so the fifth please", 'fourth'],
  ['the fourth is my birthday, the fifth', 'fourth'],
  ['the fourth, but then the fifth', 'fourth'],
  ['the fourth, well I work on it, so yes the fifth please', 'fourth'],
])('who says once more what stands and ends on another value turns away from it: "%s"', (said, value) => {
  expect(left('The fourth at noon.', said)).toBe(value);
});

test.each([
  ['asks', "the fourth that's when I'm away so is the fifth free?"],
  ['names only what stands', "the fourth that's when I'm away"],
  ['names only another value', "that's when I'm away so the fifth please"],
  ['names what stands at the end', "the fifth that's when I'm away so the fourth please"],
  ['names two others', "the sixth that's when I'm away so the fifth please"],
  ['names three', "the fourth that's when I'm away so the fifth please or the sixth"],
  ['leaves few words between them', 'the fourth, then the fifth'],
  ['names a stretch', 'the fourth to the ninth'],
  ['names a stretch in more words', 'the fourth until the ninth'],
  ['joins both', "the fourth when I'm not away and the fifth please"],
  ['leaves a choice', "the fourth when I'm not away or the fifth please"],
  ['adds one', "the fourth when I'm not away also the fifth please"],
])('who %s turns away from nothing: "%s"', (_, said) => {
  expect(left('The fourth at noon.', said)).toBeNull();
});

test('what joins words before or behind both values joins neither', () => {
  expect(left('The fourth at noon.', "and the fourth that's when I'm away so the fifth please and thanks")).toBe(
    'fourth',
  );
});

test.each([
  ['the fifth please', true],
  ['can I have the fifth', true],
  ['I want the fifth', true],
  ['the fifth', false],
  ['hm', false],
])('who asks for a value has made up their mind: "%s" %s', (said, decided) => {
  const [turn] = talk(`c: ${said}`).spoken;
  expect(turn !== undefined && isDecided(turn)).toBe(decided);
});
