import { describe, expect, test } from 'vitest';
import { primaryLanguage } from '../../../src/domain/calls/language.ts';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import { asLine, talk } from '../acts/talk.ts';
import { scripted } from '../signals/scripted-call.ts';

const LONG = {
  en: 'hello there i would like to know whether you have a room for the two of us and what it is going to be in the end',
  de: 'guten tag ich möchte gerne wissen ob sie für uns beide noch ein zimmer haben und was das am ende dann kosten würde',
  fr: 'bonjour je voudrais savoir si vous avez une chambre pour nous deux et combien cela va nous coûter à la fin',
  es: 'buenos días me gustaría saber si tienen una habitación para nosotros dos y cuánto nos va a costar al final',
  hu: 'jó napot kívánok szeretnék szobát foglalni kettőnknek holnap estére ha van még szabad helyük mennyibe kerül reggelivel együtt előre köszönöm szépen kedves hölgyem',
  it: 'buongiorno vorrei sapere se avete una camera libera stasera grazie quanto costa colazione compresa oppure no signora mia',
};

const read = (text: string, language: string | null) => readTurns(scripted([{ c: text }], { language }));

describe('the language of a talk', () => {
  test.each([
    ['is that of its words, whatever was declared', LONG.de, 'en-US', 'de'],
    ['is that of its words, where none was declared', LONG.fr, null, 'fr'],
    ['is that of its words in Spanish', LONG.es, 'en', 'es'],
    ['is the declared one, where they agree', LONG.en, 'en-GB', 'en'],
    ['is the declared one, where the words are few', 'ja', 'de-DE', 'de'],
    ['is the declared one, where nobody knows its words', LONG.it, 'it-IT', 'it'],
    ['is English, where nothing is known', 'ok', null, 'en'],
    ['is that of its words, where those of the declared one are missing', LONG.it, 'en-US', 'it'],
    ['is not known, where no language has its words', LONG.hu, 'en-US', null],
  ])('%s', (_, text, declared, expected) => {
    expect(read(text, declared).language).toBe(expected);
  });

  test.each([
    ['en', null],
    ['it', 'The call is in "it"'],
  ])('says why its words are not read: %s', (language, why) => {
    const { phrasesMissing } = read(LONG[language as 'en' | 'it'], language);
    if (why === null) expect(phrasesMissing).toBeNull();
    else expect(phrasesMissing).toContain(why);
  });

  test('may be two: then each turn is read in its own', () => {
    const mixed = talk(
      `a: ${LONG.en}`,
      `c: ${LONG.es}`,
      'a: okay, the room is free for the two of you',
      'c: muchas gracias, eso es todo',
    );
    const [, , , thanks] = mixed.spoken;
    expect(thanks?.acts.map(({ kind }) => kind)).toContain('thanks');
  });
});

test.each([
  ['en-US', 'en'],
  ['EN_us', 'en'],
  ['de', 'de'],
  ['multi', null],
  ['und', null],
  ['auto', null],
  ['', null],
  [null, null],
])('the tag %s is %s', (tag, expected) => {
  expect(primaryLanguage(tag)).toBe(expected);
});

test('turns without a word are no turns', () => {
  const reading = readTurns(scripted(['c: ...', 'a: Hello.', 'c: ?!', 'c: –'].map(asLine)));
  expect(reading.spoken.map(({ index }) => index)).toEqual([1]);
});

test.each([
  ['[noise]', false],
  ['(background music) [inaudible]', false],
  ['<silence>', false],
  ['[noise] hello', true],
  ['hello', true],
])('a caller of whom "%s" was heard has spoken: %s', (text, spoke) => {
  expect(readTurns(scripted([{ a: 'Hello.' }, { c: text }])).callerSpoke).toBe(spoke);
});
