import { expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../../acts/talk.ts';
import { scripted } from '../scripted-call.ts';

function turnsOf(lines: readonly string[], language = 'en-US'): number[] {
  const { signals } = analyseCall(scripted(lines.map(asLine), { language }), {});
  return signals.filter(({ code }) => code === 'question_unanswered').map(({ turnIndex }) => turnIndex);
}

test.each([
  [
    'a statement beside it, and the caller comes back to it',
    [
      'a: Rowan Kennels.',
      'c: do you take rabbits over christmas',
      'a: Our runs are heated and swept each morning.',
      'c: right but the rabbits',
      'a: We have looked after pets since the eighties.',
      'c: oh',
    ],
    [2, 4],
  ],
  [
    'a second question inside of a turn without stops',
    [
      'a: Rowan Kennels.',
      'c: we come on saturday who will feed the parrot',
      'a: We are looking forward to having him.',
      'c: yeah but who feeds the parrot',
      'a: Our team is very friendly.',
      'c: okay',
    ],
    [2, 4],
  ],
  [
    'the agent goes on with its own business',
    [
      'a: Elm Garage.',
      'c: before we start is the courtesy car included',
      'a: Which make is it?',
      'c: a Fiat and so the courtesy car',
      'a: Fine. Shall we say Tuesday?',
      'c: fine',
    ],
    [4],
  ],
  [
    'sympathy, and the caller asks for a yes or a no',
    [
      'a: Elm Garage.',
      'c: yes the blue one. would there be another deposit',
      'a: We know how tiresome all of this can be for people.',
      'c: is that a yes or a no',
      'a: Every case is different, and our mechanics do their best.',
      "c: never mind I'll ask somebody else",
    ],
    [2, 4],
  ],
])('is found where there is %s', (_, lines, turns) => {
  expect(turnsOf(lines)).toEqual(turns);
});

test('what the agent asks back was no answer that the caller has to come back to', () => {
  const lines = [
    'a: Elm Garage.',
    'c: how much is a lesson',
    'a: The adult or the child one?',
    "c: it's the adult I mean",
  ];
  expect(turnsOf([...lines, 'a: Forty pounds.', 'c: fine'])).toEqual([]);
});

test.each([
  [
    'de-DE',
    [
      'a: Tierpension Rosengarten.',
      'c: wie ist das mit dem Impfpass muss ich den mitbringen',
      'a: Unsere Zwinger sind beheizt.',
      'c: ja aber der Impfpass',
      'a: Wir freuen uns auf Sie.',
      'c: na gut',
    ],
  ],
  [
    'es-ES',
    [
      'a: Residencia canina Los Olmos.',
      'c: ¿hay que llevar la cartilla de vacunas?',
      'a: Nuestras casetas tienen calefacción.',
      'c: ya pero la cartilla',
      'a: Les cuidamos muy bien.',
      'c: vale',
    ],
  ],
  [
    'fr-FR',
    [
      'a: Pension canine des Ormes.',
      'c: est-ce que je dois apporter le carnet de vaccination ?',
      'a: Nos boxes sont chauffés.',
      'c: oui mais le carnet',
      'a: Nous aimons beaucoup les animaux.',
      'c: bon',
    ],
  ],
])('is found in %s', (language, lines) => {
  expect(turnsOf(lines, language)).toContain(4);
});

test.each([
  [
    'answered in other words, and asked on',
    [
      'a: Elm Garage.',
      'c: how much is an oil change',
      'a: Sixty pounds.',
      'c: okay and how long does the oil change take',
      'a: Half an hour.',
      'c: thanks',
    ],
  ],
  [
    'answered with yes, and asked about something else of the same name',
    [
      'a: Elm Garage.',
      'c: do you fit winter tyres',
      'a: Yes, all the year round.',
      'c: and what do the tyres cost',
      'a: From ninety each.',
      'c: fine',
    ],
  ],
  [
    'asked for what is needed first',
    [
      'a: Elm Garage.',
      'c: is my van ready',
      'a: What is the number plate?',
      'c: K T nine four one and is the van ready',
      'a: It is, you can come by.',
      'c: great',
    ],
  ],
  [
    'answered with a price in a sentence of its own, and followed by another question about it',
    [
      'a: Elm Garage.',
      'c: How much would a wash be without a membership?',
      'a: For a wash the fee is 20 to 26 pounds, depending on how long it takes.',
      'c: Right. Would it be less with a membership?',
      'a: That depends on your plan, and we send you an estimate first.',
      'c: lovely',
    ],
  ],
  [
    'one of two in one breath, and its turn comes next',
    [
      'a: Elm Garage.',
      'c: Are you open on Sundays? And is there parking nearby?',
      'a: Our hours are eight to five thirty on weekdays, and Saturdays until one. The entrance is on Mill Road.',
      'c: Is there parking there?',
      'a: Yes, behind the building.',
      'c: Thanks.',
    ],
  ],
  [
    'refused',
    [
      'a: Elm Garage.',
      'c: can you look at a motorbike',
      "a: I'm sorry, we don't do those.",
      'c: but it is a small motorbike',
      "a: I'm afraid we can't.",
      'c: okay',
    ],
  ],
])('is not found where it was %s', (_, lines) => {
  expect(turnsOf(lines)).toEqual([]);
});

test('a reply that the caller turns down, naming the thing again, is none', () => {
  const asked = ['a: Ferry desk.', 'c: does my cargo bike cost extra on the boat'];
  const aside = 'a: Cargo is looked after by our freight team.';
  expect(turnsOf([...asked, aside, 'c: no no it is a bike for the children', 'a: Right.'])).toEqual([2]);
  expect(turnsOf([...asked, aside, 'c: no thanks then', 'a: Right.'])).toEqual([]);
  expect(turnsOf([...asked, 'a: Is it longer than two metres?', 'c: no it is a normal bike', 'a: Right.'])).toEqual([]);
});

test.each([
  ['en-US', "a: I think you've got the wrong number.", 'c: is this not the bike place'],
  ['de-DE', 'a: Da haben Sie sich verwählt.', 'c: ist da nicht der Radladen'],
])('who has dialled wrongly is owed no answer (%s)', (language, reply, after) => {
  expect(turnsOf(['a: Hello.', 'c: is my bike ready', reply, after, 'a: No.'], language)).toEqual([]);
});

test('who is glad to have asked had an answer', () => {
  const lines = ['a: Desk.', 'c: can they stay in the car', 'a: The deck is locked, they come up with you.'];
  expect(turnsOf([...lines, 'c: oh well glad I asked. and the price', 'a: Four pounds.'])).toEqual([]);
});

const PRICE = [
  'a: Clinic.',
  'c: what do you charge for a scan cash',
  'a: Do you have an order?',
  'c: yeah how much is it though',
];

test('what it costs, asked for the third time in other words, is owed an answer', () => {
  const asked = [...PRICE, 'a: Great. Which part of the body?', 'c: lower back so how much'];
  expect(turnsOf([...asked, 'a: Got it. We have openings this week.', 'c: hm'])).toContain(6);
  expect(turnsOf([...asked, 'a: It is $425.', 'c: hm'])).toEqual([]);
  expect(turnsOf([...asked, "a: I'm sorry, I can't say that on the phone.", 'c: hm'])).toEqual([]);
  expect(turnsOf([...PRICE, 'a: Great. Which part of the body?', 'c: the back'])).toEqual([]);
});

test.each([
  [
    'a no to more help',
    ['a: It is at ten.', 'c: lovely', 'a: Anything else?', "c: no dear that'll do it", 'a: Have a lovely day.'],
  ],
  ['"will do"', ['a: Ring us when you have it.', 'c: will do good luck', 'a: Bye now.']],
])('%s is no question', (_, lines) => {
  expect(turnsOf(['a: Desk.', 'c: hi', ...lines])).toEqual([]);
});
