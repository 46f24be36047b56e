import { describe, expect, test } from 'vitest';
import { compileFolded } from '../../../src/domain/words/folded-phrases.ts';
import { foldFrench, foldGerman, foldSpanish } from '../../../src/domain/words/folding.ts';

type Lists = Record<string, readonly string[]>;

const spans = (lists: Lists, said: string, fold = foldGerman, barriers: string[] = []) =>
  compileFolded(lists, { fold, barriers })(said === '' ? [] : said.split(' ')).map(
    ({ list, from, to }) => `${list} ${from}-${to}`,
  );

describe('a phrase of a language in pieces', () => {
  test.each([
    ['with its umlaut written out', 'zurueckrufen', ['asked 0-1']],
    ['with its umlaut', 'zurückrufen', ['asked 0-1']],
    ['with the umlaut left away, which is another word', 'zuruckrufen', []],
    ['inside of another word', 'zurückrufende', []],
  ])('German, %s', (_, said, expected) => {
    expect(spans({ asked: ['zurückrufen'] }, said)).toEqual(expected);
  });

  test.each([
    ['with its accent', 'llámame', ['asked 0-1']],
    ['without', 'llamame', ['asked 0-1']],
  ])('Spanish, %s', (_, said, expected) => {
    expect(spans({ asked: ['llámame'] }, said, foldSpanish)).toEqual(expected);
  });

  test('the Spanish yes and if are told apart by the accent alone', () => {
    expect(spans({ yes: ['sí'] }, 'sí', foldSpanish)).toEqual(['yes 0-1']);
    expect(spans({ yes: ['sí'] }, 'si', foldSpanish)).toEqual([]);
  });

  test.each([
    ["j'ai déjà dit", ['told 0-3']],
    ['j ai deja dit', ['told 0-4']],
    ["je n'ai déjà dit", []],
  ])('French, elisions are two pieces of one word: "%s"', (said, expected) => {
    expect(spans({ told: ["j'ai déjà dit"] }, said, foldFrench)).toEqual(expected);
  });

  test('a hit covers the whole word of which it holds a piece', () => {
    expect(spans({ place: ['adresse'] }, "à l'adresse indiquée", foldFrench)).toEqual(['place 1-2']);
  });
});

test.each([
  ['either word', ['ruf/melde dich'], 'melde dich', ['asked 0-2']],
  ['neither', ['ruf/melde dich'], 'dich', []],
  ['a word that may be missing and is there', ['ruf [mich] an'], 'ruf mich an', ['asked 0-3']],
  ['a word that may be missing and is', ['ruf [mich] an'], 'ruf an', ['asked 0-2']],
  ['two words in place of one', ['ruf+mich/melde an'], 'ruf mich an', ['asked 0-3']],
  ['the first of these two alone', ['ruf+mich/melde an'], 'ruf an', []],
  ['a beginning that may be missing', ['[bitte] ruf an'], 'ruf an', ['asked 0-2']],
  ['the longest of all', ['ruf an', 'ruf an ~1 bitte'], 'ruf an ja bitte', ['asked 0-4']],
  ['two of it', ['ruf an'], 'ruf an ruf an', ['asked 0-2', 'asked 2-4']],
  ['nothing', ['ruf an'], '', []],
])('a phrase is found with %s', (_, phrases, said, expected) => {
  expect(spans({ asked: phrases }, said)).toEqual(expected);
});

describe('a gap', () => {
  const lists = { asked: ['ruf ~2 zurück'] };

  test.each([
    ['ruf zurück', ['asked 0-2']],
    ['ruf mich bitte zurück', ['asked 0-4']],
    ['ruf mich bitte heute zurück', []],
    ['ruf mich bitte', []],
  ])('passes over as many words as it says: "%s"', (said, expected) => {
    expect(spans(lists, said)).toEqual(expected);
  });

  test.each([
    ['ruf mich nicht zurück', []],
    ['ruf nicht zurück', []],
    ['nicht ruf mich zurück', ['asked 1-4']],
    ['ruf mich zurück nicht', ['asked 0-3']],
  ])('passes over no word that turns the phrase round: "%s"', (said, expected) => {
    expect(spans(lists, said, foldGerman, ['nicht', 'kein'])).toEqual(expected);
  });
});

describe('a deed that is denied', () => {
  const lists = { done: ['he reservado'], 'claim:sent': ['he enviado'], refuses: ['he reservado'] };
  const barriers = ['no', 'ni', 'nunca'];

  test.each([
    ['he reservado la pista', ['done 0-2', 'refuses 0-2']],
    ['le he enviado el plano', ['claim:sent 1-3']],
    ['no he enviado el plano', []],
    ['no le he reservado la pista', ['refuses 2-4']],
    ['nunca se lo he enviado', []],
    ['no pasa nada hombre le he enviado el plano', ['claim:sent 5-7']],
  ])('is none, whatever else the words do: "%s"', (said, expected) => {
    expect(spans(lists, said, foldSpanish, barriers)).toEqual(expected);
  });
});

test('many words that may be missing cost no more than the words of the text', () => {
  const phrase = ['komm', ...Array.from({ length: 12 }, (_, at) => `[wort${at}]`), 'vorbei'].join(' ');
  expect(spans({ asked: [phrase] }, 'komm wort3 wort9 vorbei')).toEqual(['asked 0-4']);
  expect(spans({ asked: [phrase] }, 'komm wort9 wort3 vorbei')).toEqual([]);
});
