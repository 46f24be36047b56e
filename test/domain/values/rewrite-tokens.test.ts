import { expect, test } from 'vitest';
import { cutWords } from '../../../src/domain/text.ts';
import { isReaderWord } from '../../../src/domain/values/compile-grammar.ts';
import { foreignTokens } from '../../../src/domain/values/foreign-tokens.ts';
import type { Token } from '../../../src/domain/values/tokens.ts';
import { wordsOf } from '../../../src/domain/values/words-of.ts';

const WORDS_READ = 400;

function tokensIn(language: string, text: string): Token[] {
  const grammar = wordsOf(language)?.grammar;
  if (grammar == null) throw new Error(`No grammar of "${language}".`);
  return foreignTokens(text, cutWords(text), grammar, WORDS_READ);
}

const read = (language: string, text: string) =>
  tokensIn(language, text)
    .map((token) => token.text)
    .join(' ');

test.each([
  ['de', 'einundzwanzig', '21'],
  ['de', 'ein und zwanzig', '21'],
  ['de', 'zwoundvierzig', '42'],
  ['de', 'hundertsieben', '107'],
  ['de', 'zweihundertdreißig', '230'],
  ['de', 'siebzehnhundertneunundachtzig', '1789'],
  ['de', 'zweitausendsechsundzwanzig', '2026'],
  ['de', 'tausend', '1000'],
  ['de', 'dreitausendfünfhundert', '3500'],
  ['de', '1.250', '1250'],
  ['de', '12 tausend', '12000'],
  ['de', 'drei Komma fünf', '3.5'],
  ['fr', 'vingt et un', '21'],
  ['fr', 'soixante et onze', '71'],
  ['fr', 'soixante-dix-neuf', '79'],
  ['fr', 'quatre-vingts', '80'],
  ['fr', 'quatre-vingt-dix-neuf', '99'],
  ['fr', 'septante-trois', '73'],
  ['fr', 'deux cent quatre', '204'],
  ['fr', 'mille neuf cent quatre-vingt-quatre', '1984'],
  ['fr', 'deux virgule cinq', '2.5'],
  ['es', 'treinta y uno', '31'],
  ['es', 'dieciséis', '16'],
  ['es', 'dieciseis', '16'],
  ['es', 'ciento una', '101'],
  ['es', 'quinientas doce', '512'],
  ['es', 'dos mil veintiséis', '2026'],
  ['es', 'siete coma dos', '7.2'],
])('in "%s" the number "%s" is %s', (language, said, number) => {
  expect(read(language, said).replaceAll(' ', '')).toBe(number);
});

test.each([
  ['de', 'halb acht', '7:30'],
  ['de', 'halb eins', '12:30'],
  ['de', 'Viertel vor eins', '12:45'],
  ['de', 'viertel acht', '7:15'],
  ['de', 'drei viertel acht', '7:45'],
  ['de', 'fünf nach halb zehn', '9:35'],
  ['de', 'zehn Minuten vor sechs Uhr', '5:50'],
  ['de', 'dreizehn Uhr fünf', '13:05'],
  ['de', 'null Uhr dreißig', '0:30'],
  ['fr', 'une heure moins le quart', '12:45'],
  ['fr', 'dix-huit heures quinze', '18:15'],
  ['fr', 'midi et demi', '12:30pm'],
  ['fr', '9h05', '9:05'],
  ['es', 'la una menos cuarto', '12:45'],
  ['es', 'las doce y cuarto', '12:15'],
  ['es', 'veinte para las cinco', '4:40'],
  ['es', 'a las 21:15 horas', '21:15'],
])('in "%s" the hour "%s" is %s', (language, said, hour) => {
  expect(read(language, said).replaceAll(' ', '')).toBe(hour);
});

test.each([
  ['de', 'acht Uhr abends', '8 : 00 pm'],
  ['de', 'um sieben in der Früh', '7 : 00 am'],
  ['de', 'zwanzig Uhr abends', '20 : 00'],
  ['fr', 'six heures du matin', '6 : 00 am'],
  ['es', 'las tres y media de la tarde', '3 : 30 pm'],
])('in "%s" the half of the day in "%s" is kept where it tells more', (language, said, hour) => {
  expect(read(language, said)).toBe(hour);
});

test.each([
  ['de', 'am 3. Oktober', '3 oct'],
  ['de', 'am dritten zehnten', '3 oct'],
  ['de', 'den einunddreißigsten Mai neunzehnhundertachtzig', '31 may 1980'],
  ['de', '1.2.58', '1 feb 1958'],
  ['de', '1.2.27', '1 feb 2027'],
  ['fr', 'le premier août', '1 aug'],
  ['fr', 'le 2 fevrier 99', '2 feb 1999'],
  ['es', 'seis de septiembre', '6 sep'],
  ['es', 'el treinta y uno de diciembre de dos mil treinta', '31 dec 2030'],
])('in "%s" the date "%s" is %s', (language, said, date) => {
  expect(read(language, said).replace(/^_?(?:el|le) /, '')).toBe(date);
});

test.each([
  ['de', 'sechs Euro', '6 euros'],
  ['de', 'sechs Euro und fünf Cent', '6 . 05 euros'],
  ['de', '€ 18,40', '18 . 40 euros'],
  ['fr', 'neuf euros vingt', '9 . 20 euros'],
  ['es', 'cuatro con noventa euros', '4 . 90 euros'],
  ['es', 'cien pesos', '100 euros'],
])('in "%s" the amount "%s" is %s', (language, said, amount) => {
  expect(read(language, said)).toBe(amount);
});

test.each([
  ['de', 'M wie Martha', 'm'],
  ['de', 'doppel L', 'double l'],
  ['de', 'doppel null', '00'],
  ['de', 'Anton Berta Cäsar', 'a b c'],
  ['fr', 'B comme Brigitte', 'b'],
  ['es', 'eme o ele', 'm o l'],
  ['es', 'N de Navarra', 'n'],
])('in "%s" the letters of "%s" are %s', (language, said, letters) => {
  expect(read(language, said)).toBe(letters);
});

test.each([
  ['a name of a letter that is a name', 'de', 'Martha und Otto', 'martha'],
  ['two of them', 'de', 'Ida Ludwig', 'ida ludwig'],
  ['a word behind a letter that does not begin with it', 'de', 'M wie bitte', 'wie bitte'],
  ['a doubled thing', 'de', 'doppel zimmer', 'doppel zimmer'],
])('%s is no letter: "%s" %s', (_, language, said, kept) => {
  expect(read(language, said)).toContain(kept);
});

test.each([
  ['de', 'am Apparat', 'am'],
  ['de', 'an der Kasse', 'an'],
  ['fr', 'on y va', 'on'],
  ['es', 'son las llaves', 'son'],
])('in "%s" no word of "%s" is one of the English readers, though "%s" is written like one', (language, said) => {
  const words = tokensIn(language, said).filter((token) => token.kind === 'word');
  expect(words.filter(({ text }) => isReaderWord(text))).toEqual([]);
});

test.each([
  ['de', 'ein Zimmer', ''],
  ['de', 'ein Uhr', '1:00'],
  ['de', 'eins eins ein', '111'],
  ['fr', 'une table', ''],
  ['fr', 'une personne', '1'],
  ['es', 'un momento', ''],
  ['es', 'una persona', '1'],
])('in "%s" the word for one in "%s" is a number only where it counts', (language, said, figures) => {
  expect(read(language, said).replace(/[^\d:]/g, '')).toBe(figures);
});

test.each([
  ['de', 'achtundzwanzigster Februar, halb acht bitte'],
  ['fr', "c'est pour mardi à dix-sept heures trente, s'il vous plaît"],
  ['es', 'el veinticuatro de mayo a las siete y media'],
])('what is read in "%s" keeps its place in "%s"', (language, text) => {
  let before = 0;
  for (const { from, to } of tokensIn(language, text)) {
    expect(from).toBeGreaterThanOrEqual(before);
    expect(to).toBeGreaterThanOrEqual(from);
    expect(to).toBeLessThanOrEqual(text.length);
    before = from;
  }
});

test.each(['', '…', '?!', '-', '- - -', "'", '€', '1.', '.1', '1.2.3.4.5.6', '9'.repeat(60)])(
  'odd text breaks nothing: "%s"',
  (text) => {
    for (const language of ['de', 'fr', 'es'])
      for (const token of tokensIn(language, text)) expect(text.slice(token.from, token.to)).not.toBe('');
  },
);
