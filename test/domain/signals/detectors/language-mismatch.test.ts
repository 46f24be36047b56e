import { expect, test } from 'vitest';
import { turnsOf } from './turns-of.ts';

const call = (...last: string[]) => [
  'a: Good morning, this is the ferry office, how can I help you today?',
  'c: when is the next boat to the island please',
  'a: There is one at four and one at six in the evening.',
  'c: and do you have a cabin for two',
  ...last,
];

test('an agent that changes its language speaks the wrong one', () => {
  const last = [
    'a: Gracias por su paciencia, le atendemos en un momento.',
    'c: sorry what',
    'a: Un momento, por favor, su llamada es muy importante para nosotros.',
  ];
  expect(turnsOf('language_mismatch', call(...last))).toEqual([4]);
});

test('one foreign name does not', () => {
  expect(turnsOf('language_mismatch', call('a: Yes, on the Reina de la Mar.', 'c: thank you'))).toEqual([]);
});
