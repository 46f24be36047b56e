import { expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { scripted } from '../scripted-call.ts';

const quotesIn = (text: string, language = 'en-US') =>
  analyseCall(scripted([{ c: 'go on' }, { a: text }], { language }), {})
    .signals.filter(({ code }) => code === 'sensitive_data_spoken')
    .map(({ quote }) => quote);

test.each([
  ['a card in groups', 'Your card 4111 1111 1111 1111 is on file.', '4111 1111 1111 1111'],
  ['a card in one row', 'I have 5555555555554444 here.', '5555555555554444'],
  ['a card of fifteen figures', 'That was 3782 822463 10005, right?', '3782 822463 10005'],
  ['a card with hyphens', 'It is 4111-1111-1111-1111.', '4111-1111-1111-1111'],
  [
    'a card figure by figure',
    'It is four one one one, one one one one, one one one one, one one one one.',
    'four one one one, one one one one, one one one one, one one one one',
  ],
  [
    'with an oh for the zero',
    'The card is six oh one one, oh oh oh nine, nine oh one three, nine four two four.',
    'six oh one one, oh oh oh nine, nine oh one three, nine four two four',
  ],
  ['a social security number', 'I see 219-09-9999 in the file.', '219-09-9999'],
])('%s is found', (_, text, quote) => {
  expect(quotesIn(text)).toEqual([quote]);
});

test.each([
  ['the last four figures', 'The card that ends in 1111 was charged.'],
  ['a row whose check digit is wrong', 'Your order is 4111 1111 1111 1112.'],
  ['a row that is too short for a card', 'Your parcel is 4111 1111 1111.'],
  ['a row that is too long', 'The meter says 4111 1111 1111 1111 1111 11.'],
  ['a row that no brand begins with', 'The barcode is 1111 1111 1111 1117.'],
  ['two numbers with words between', 'It is 4111 1111 and then also 1111 1111.'],
  ['a phone number', 'Call us on 0161 496 0021 or 0161 496 0022.'],
  ['a social security number that nobody has', 'The part is 000-12-3456, or 666-12-3456, or 900-12-3456.'],
  ['the same with a group of zeros', 'The part is 219-00-9999 or 219-09-0000.'],
  ['a date and a year', 'Between 219-1-9999 and 2026-11-26.'],
  ['nothing but signs', '- - - . ,'],
])('%s is left alone', (_, text) => {
  expect(quotesIn(text)).toEqual([]);
});

test('what the caller says is theirs to say', () => {
  const { signals } = analyseCall(scripted([{ a: 'Yes?' }, { c: '4111 1111 1111 1111' }, { a: 'Thank you.' }]), {});
  expect(signals.map(({ code }) => code)).not.toContain('sensitive_data_spoken');
});

test('a very long row of figures is read through once', () => {
  expect(quotesIn('4 '.repeat(20_000))).toEqual([]);
});

test.each([
  ['de-DE', 'Die Karte ist vier fünf fünf sechs, sieben drei sieben fünf, acht sechs acht neun, neun acht fünf fünf.'],
  [
    'es-ES',
    'La tarjeta es cuatro cinco cinco seis, siete tres siete cinco, ocho seis ocho nueve, nueve ocho cinco cinco.',
  ],
  ['fr-FR', 'La carte est quatre cinq cinq six, sept trois sept cinq, huit six huit neuf, neuf huit cinq cinq.'],
])('a card is found figure by figure in %s', (language, text) => {
  expect(quotesIn(text, language)).toHaveLength(1);
});
