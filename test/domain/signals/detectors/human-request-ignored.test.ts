import { expect, test } from 'vitest';
import { turnsOf } from './turns-of.ts';

const twice = (first: string, second: string) => [
  'a: Harbour Sailing School.',
  `c: ${first}`,
  'a: Which course is it about?',
  `c: ${second}`,
  'a: And which week was that?',
];

test.each([
  ['en-US', 'can I talk to a human please', "I don't want a machine I want somebody in the office"],
  ['en-US', 'let me speak to a manager', 'representative'],
  ['en-US', 'I need to speak to someone', 'no manager please'],
  ['de-DE', 'ich möchte mit einem Mitarbeiter sprechen', 'Mitarbeiter'],
  ['es-ES', 'quiero hablar con una persona', 'operador por favor'],
  ['fr-FR', 'je voudrais parler à un conseiller', 'un conseiller'],
])('a second request is ignored (%s): %s', (language, first, second) => {
  expect(turnsOf('human_request_ignored', twice(first, second), { language })).toEqual([3]);
});

test.each([
  ['en-US', 'can I talk to one of the skippers first', 'I would rather speak to a person please'],
  ['de-DE', 'kann ich mit einem von den Skippern sprechen', 'Mitarbeiter'],
  ['de-DE', 'könnte ich da bitte mit wem reden vom Verein', 'ich will bloß mit der Frau vom letzten Mal reden'],
  ['es-ES', 'puedo hablar con uno de los patrones', 'operador por favor'],
  ['fr-FR', "je peux parler à l'un de vos skippers", 'un conseiller'],
])('one of the people there is a person (%s): %s', (language, first, second) => {
  expect(turnsOf('human_request_ignored', twice(first, second), { language })).toEqual([3]);
});

test('one request is ignored where the agent only says its last line again', () => {
  const asked = (reply: string) => [
    'a: Which week suits you?',
    'c: can I talk to a human please',
    `a: ${reply}`,
    'c: forget it, bye',
  ];
  expect(turnsOf('human_request_ignored', asked('Which week suits you?'))).toEqual([1]);
  expect(turnsOf('human_request_ignored', asked('Sure, what is it about?'))).toEqual([]);
});

test.each([
  ['asked for once', 'can I talk to a human please', 'the dinghy course'],
  [
    'named in a sentence about the matter',
    'can I talk to a human please',
    'the manager of the harbour sent me an invoice',
  ],
])('nothing is ignored where a person is %s', (_, first, second) => {
  expect(turnsOf('human_request_ignored', twice(first, second))).toEqual([]);
});

test('an agent that did not get it has not taken up who asks for a person again', () => {
  const unheard = "a: I'm sorry, I didn't quite get that. What are you calling about?";
  const lines = [
    'a: Hello.',
    'c: representative',
    'a: What is it about?',
    'c: a real person please',
    unheard,
    'c: a human being',
  ];
  expect(turnsOf('human_request_ignored', [...lines, unheard])).toContain(3);
});
