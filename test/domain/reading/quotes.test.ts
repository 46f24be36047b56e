import { expect, test } from 'vitest';
import { exactQuote, lettersOf, quotesOf } from '../../../src/domain/reading/quotes.ts';

test.each([
  ['as it stands', 'It is ready on Friday.', 'ready on Friday', 'ready on Friday'],
  ['with other blanks', 'It  is\nready on Friday.', 'It is ready', 'It  is\nready'],
  ['with blanks that are none of ours', 'Das kostet 20\u00a0Euro im Monat', '20 Euro', '20\u00a0Euro'],
  ['in another case', 'It is READY.', 'it is ready', 'It is READY'],
  ['with typographic quotes', 'He said “don’t”.', 'said "don\'t"', 'said “don’t”'],
  ['with plain quotes for typographic ones', 'He said "don\'t".', 'said “don’t”', 'said "don\'t"'],
  ['with another dash', 'from ten – noon', 'ten - noon', 'ten – noon'],
  ['with one sign for three stops', 'hello... is anybody on', 'hello… is anybody', 'hello... is anybody'],
  ['between marks of the reader', 'It is ready on Friday.', '"... ready on Friday ..."', 'ready on Friday'],
  ['written in parts', 'Le café ferme', 'cafe\u0301 ferme', 'café ferme'],
  ['in signs of full width', '予約は１４日です', '予約は14日', '予約は１４日'],
  ['of a JSON text with other blanks', '{"total":142,"paid":false}', '"total": 142', '"total":142'],
  ['within a text without blanks', 'この通話は録音されています', '録音されています', '録音されています'],
  ['behind another place where it is no whole word', 'starting with art', 'art', 'art'],
  ['with a sign of two units', 'fine 😀 then', 'FINE 😀 then', 'fine 😀 then'],
])('a quote is found %s', (_, text, quote, found) => {
  expect(exactQuote(text, quote)).toBe(found);
  expect(text).toContain(found);
});

test.each([
  ['it is not there', 'It is ready.', 'It is done'],
  ['it is a part of a word', 'We start now.', 'art'],
  ['it is a part of a figure', 'That is 1420 euros.', '142'],
  ['it is a part of an amount', 'That is 142.50 euros.', '142'],
  ['it ends within a word', 'Your booking', 'Your book'],
  ['it is cut in the middle', 'It is ready on Friday.', 'It is ... Friday'],
  ['it holds no letter and no digit', 'Well... yes', '...'],
  ['it is empty', 'Well', '  '],
])('a quote is not found where %s', (_, text, quote) => {
  expect(exactQuote(text, quote)).toBeNull();
});

test('a quote has its place, also where the text before it is written otherwise', () => {
  expect(quotesOf('“Fi\u00adne”, it is ﬁne')('IT IS fine')).toEqual({ at: 9, quote: 'it is ﬁne' });
});

test('texts of the same letters and digits are equal in one form', () => {
  expect(lettersOf('“It’s 5 %,” he said – OK?')).toBe(lettersOf('its 5 he SAID ok'));
  expect(lettersOf('It is 5')).not.toBe(lettersOf('It is 6'));
});

test('nothing takes longer than its size: a quote of one letter in a text of nothing else, and marks without end', () => {
  expect(exactQuote('a'.repeat(200_000), 'a'.repeat(1_000))).toBeNull();
  expect(exactQuote('a b', `${'"'.repeat(100_000)}c`)).toBeNull();
});
