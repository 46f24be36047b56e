import { expect, test } from 'vitest';
import { turnsOf } from './turns-of.ts';

const found = (said: string, language = 'en-US') =>
  turnsOf('stt_phantom_loop', ['a: Beekeepers of the valley.', `c: ${said}`], { language });
const times = (count: number, words: string) => Array.from({ length: count }, () => words).join(' ');

test.each([
  ['one word', times(12, 'thank')],
  ['a sentence of a film', times(4, 'thanks for watching this video')],
  ['two words, behind others', `hello there ${times(6, 'you know')}`],
  ['with stops between', times(5, 'Bye now.')],
])('a text that nobody said is found: %s', (_, said) => {
  expect(found(said)).toEqual([1]);
});

test.each([
  ['a short turn', times(9, 'no')],
  ['three times the same', times(3, 'thanks for watching this video')],
  ['a loop in a longer turn', `my bees have swarmed into the old pear tree behind our house ${times(4, 'no')}`],
  ['a pattern of more words than people repeat', times(4, 'my bees have swarmed into trees')],
  ['a number read out', times(12, 'four')],
  ['figures', times(12, '4')],
  ['letters', times(12, 'b')],
  ['an ordinary turn', 'my bees have swarmed and now they sit in the old pear tree behind the house'],
  ['nothing but signs', '. . . . . . . . . . . . .'],
])('speech is not: %s', (_, said) => {
  expect(found(said)).toEqual([]);
});

test.each([
  ['de-DE', 'danke', 'null'],
  ['es-ES', 'gracias', 'siete'],
  ['fr-FR', 'merci', 'sept'],
])('the words of another language loop, its numbers are read out (%s)', (language, word, number) => {
  expect(found(times(12, word), language)).toEqual([1]);
  expect(found(times(12, number), language)).toEqual([]);
});

test('the agent repeats itself on its own account', () => {
  expect(turnsOf('stt_phantom_loop', [`a: ${times(12, 'thank')}`, 'c: hello'])).toEqual([]);
});
