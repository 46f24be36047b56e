import { expect, test } from 'vitest';
import { BY_AGENT, turnsOf } from './turns-of.ts';

const ending = (...last: string[]) => [
  'a: Fernhill Opticians.',
  'c: are my glasses ready',
  'a: They are on the shelf.',
  ...last,
];

test.each([
  ['in the middle of a question', ['c: oh good and how late can I', 'a: Thank you for calling. Goodbye.']],
  ['in the middle of a sentence', ['c: lovely I will come with my', 'a: Goodbye now.']],
  ['on an open question', ['c: and what do I owe you', 'a: Have a nice day, goodbye.']],
])('the agent takes its leave %s', (_, last) => {
  expect(turnsOf('agent_hung_up_early', ending(...last), BY_AGENT)).toEqual([4]);
});

test.each([
  ['after thanks', ['c: great thanks', 'a: Goodbye now.']],
  ['with the answer', ['c: and how late are you open', 'a: We are open until six. Goodbye.']],
  ['after a plan of the caller', ['c: I might pop in', 'a: Do. Goodbye.']],
  ['with a refusal', ['c: and can you post them to my mother', "a: I'm sorry, we can't. Goodbye."]],
])('it is no fault to end %s', (_, last) => {
  expect(turnsOf('agent_hung_up_early', ending(...last), BY_AGENT)).toEqual([]);
});

test.each([
  [
    'who had one more thing',
    'c: jane at post dot example and just one more thing the kitten only had her first',
    'en-US',
  ],
  ['whose sentence hangs on "until"', 'c: could they keep it at the pier because I am not back until', 'en-US'],
  ['in German', 'c: gut und noch eine Frage die kleine hatte erst', 'de-DE'],
])('the agent takes its leave of a caller %s', (_, last, language) => {
  const lines = [
    'a: Hallo.',
    'c: hi',
    last,
    language === 'de-DE' ? 'a: Auf Wiederhören.' : 'a: Thanks for calling. Goodbye!',
  ];
  expect(turnsOf('agent_hung_up_early', lines, { ...BY_AGENT, language })).toEqual([3]);
});

test.each([
  ['with nothing but thanks', 'a: Great! Thank you for calling. Have a wonderful day, goodbye!', [3]],
  ['with an answer', "a: With your photo on it that's fine. Goodbye!", []],
])('the agent takes its leave of a question that nothing marks, %s', (_, last, expected) => {
  const asked = 'c: not as bad as I figured um so I am on a fixed income could I do like';
  expect(turnsOf('agent_hung_up_early', ['a: Desk.', 'c: hi', asked, last], BY_AGENT)).toEqual(expected);
});
