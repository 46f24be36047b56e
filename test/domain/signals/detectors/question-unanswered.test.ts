import { expect, test } from 'vitest';
import { suspectedAt, turnsOf } from './turns-of.ts';

const CODE = 'question_unanswered';
const asked = ['a: Elm Garage.', 'c: do you fit winter tyres'];

test.each([
  ['en-US', asked, "c: that's not what I asked"],
  ['de-DE', ['a: Werkstatt Ulme.', 'c: montieren Sie Winterreifen'], 'c: das habe ich nicht gefragt'],
])('is suspected where the caller says that a reply is none (%s)', (language, lines, says) => {
  const talk = [...lines, 'a: We are by the church.', says, 'a: Hm.'];
  expect(suspectedAt(CODE, talk, { language })).toEqual([2]);
  expect(turnsOf(CODE, talk, { language })).toEqual([]);
});

test('is suspected where no reply takes up a word of the question', () => {
  const lines = ['a: Elm Garage.', 'c: what does a set of winter tyres cost with mounting', 'a: We are by the church.'];
  expect(suspectedAt(CODE, [...lines, 'c: I see', 'a: Come and have a look.', 'c: fine'])).toEqual([1]);
  expect(suspectedAt(CODE, [...lines, 'c: I see', 'a: Ninety pounds with mounting.', 'c: fine'])).toEqual([]);
});

test.each([
  ['was a yes', ['a: Yes, all the year round.', "c: that's not what I asked"]],
  ['put the caller right about the number', ["a: I think you've got the wrong number.", "c: that's not what I asked"]],
  ['was asked for', ['a: We do, by the church.', 'c: oh well glad I asked']],
])('is not suspected where the reply %s', (_, lines) => {
  expect(suspectedAt(CODE, [...asked, ...lines, 'a: Right.'])).toEqual([]);
});
