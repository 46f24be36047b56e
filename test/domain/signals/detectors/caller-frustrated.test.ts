import { expect, test } from 'vitest';
import { turnsOf } from './turns-of.ts';

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
])('is %s: %s', (_, said) => {
  expect(turnsOf('caller_frustrated', talk(said))).toEqual([5]);
});

test('is annoyance after trouble with the agent', () => {
  expect(turnsOf('caller_frustrated', talk('this is ridiculous', 'I already told you the small one'))).toContain(5);
});

test.each([
  ['a child that is spoken to', 'they never stop talking these two'],
  ['the matter', 'this is ridiculous for a cake that size'],
])('is not about %s', (_, said) => {
  expect(turnsOf('caller_frustrated', talk(said))).toEqual([]);
});
