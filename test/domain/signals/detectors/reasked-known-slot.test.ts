import { expect, test } from 'vitest';
import { turnsOf } from './turns-of.ts';

test.each([
  [
    'en-US',
    'c: a court for my two boys seven and eleven please',
    'a: Lovely. How old are they?',
    'c: like I said seven and eleven',
  ],
  [
    'en-US',
    'c: can I have court three from ten till noon',
    'a: Of course. Which hours would you like?',
    'c: from ten till noon',
  ],
  [
    'en-US',
    'c: court two on friday the ninth of may please',
    "a: Thank you, that's all right. Which day would you like?",
    'c: friday the ninth like I said',
  ],
  [
    'de-DE',
    'c: ich brauche den Platz in der Lindenallee zwölf',
    'a: Gern. Welche Adresse ist das?',
    'c: Lindenallee zwölf immer noch',
  ],
])('the answer says again what was said (%s): %s', (language, first, question, answer) => {
  expect(turnsOf('reasked_known_slot', ['a: Tennis club.', first, question, answer], { language })).toEqual([2]);
});

test.each([
  [
    'something new',
    'c: can I have a court on tuesday',
    'a: Of course. Which hours would you like?',
    'c: from ten till noon',
  ],
  [
    'one of two that were offered',
    'c: can I have court three or court four',
    'a: Which one, court three or court four?',
    'c: court four',
  ],
])('but not where the answer is %s', (_, first, question, answer) => {
  expect(turnsOf('reasked_known_slot', ['a: Tennis club.', first, question, answer])).toEqual([]);
});

test("another person's name is rightly asked for, though a tool had the caller's", () => {
  const talk = [
    'a: Tennis club.',
    'c: it is Pia Roth',
    { call: 'find_member', args: { name: 'Pia Roth' } },
    { result: 'find_member', body: { found: true } },
    "a: And your guest's full name?",
    'c: Oskar Lindqvist',
  ];
  expect(turnsOf('reasked_known_slot', talk)).toEqual([]);
});

test.each([
  [
    'de-DE',
    'c: meine schwester und ich wir möchten tanzen lernen',
    'a: Kommen Sie alleine oder zu zweit?',
    'c: nein mit meiner schwester halt',
  ],
  ['en-US', 'c: my sister and I want to learn to dance', 'a: Are you coming alone?', 'c: with my sister obviously'],
])('whoever answers that it goes without saying had said it (%s)', (language, asked, again, answer) => {
  expect(turnsOf('reasked_known_slot', ['a: Hallo.', asked, again, answer], { language })).toEqual([2]);
});

test('an answer that is new is none, however obvious', () => {
  const lines = ['a: Hello.', 'c: I want to learn to dance', 'a: Are you coming alone?', 'c: with my sister obviously'];
  expect(turnsOf('reasked_known_slot', lines)).toEqual([]);
});
