import { expect, test } from 'vitest';
import { suspectedAt, turnsOf } from './turns-of.ts';

const talk = (said: string, before = 'just the small one') => [
  'a: Old Mill Bakery.',
  'c: I need a cake for friday',
  'a: Which size would you like?',
  `c: ${before}`,
  'a: Which size would you like?',
  `c: ${said}`,
];

test.each([
  ['a reproach to the agent', 'are you deaf'],
  ['a reproach to the agent', 'stop interrupting me'],
])('is suspected in %s: %s', (_, said) => {
  expect(suspectedAt('caller_frustrated', talk(said))).toEqual([5]);
  expect(turnsOf('caller_frustrated', talk(said))).toEqual([]);
});

test('is suspected where there is annoyance after trouble with the agent', () => {
  expect(suspectedAt('caller_frustrated', talk('this is ridiculous', 'I already told you the small one'))).toContain(5);
});

test.each([['a child that is spoken to', 'they never stop talking these two']])('is not about %s', (_, said) => {
  expect(suspectedAt('caller_frustrated', talk(said))).toEqual([]);
});
