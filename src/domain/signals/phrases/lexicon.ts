import { SMALL_WORDS } from './languages.ts';
import { DATE_WORDS, NUMBER_WORDS, STOP_WORDS } from './words-en.ts';

/** What is known of a word, as bits, so that a turn's words are looked up once for all who ask. */
export const STOP = 1;
/** A number, day or month in words. */
export const VALUE = 2;
/** Some phrase of some list begins with the word. */
export const STARTS_PHRASE = 4;
const FIRST_LANGUAGE = 3;

export const LANGUAGES: readonly string[] = Object.keys(SMALL_WORDS);

const LEXICON = new Map<string, number>();
for (const word of STOP_WORDS) mark(word, STOP);
for (const word of [...NUMBER_WORDS, ...DATE_WORDS]) mark(word, VALUE);
for (const [place, language] of LANGUAGES.entries()) {
  for (const word of SMALL_WORDS[language] ?? []) mark(word, 1 << (FIRST_LANGUAGE + place));
}

/** The bits of each word; 0 for words that are in no list. */
export function lookUp(words: readonly string[]): number[] {
  return words.map((word) => LEXICON.get(word) ?? 0);
}

/** Adds to `counts` (one a language of `LANGUAGES`) the languages to which a word belongs. */
export function countLanguages(bits: number, counts: number[]): void {
  let left = bits >> FIRST_LANGUAGE;
  for (let place = 0; left > 0; place += 1, left >>= 1) if ((left & 1) === 1) counts[place] = (counts[place] ?? 0) + 1;
}

/** Adds a bit to a word while the module's lists are compiled. */
export function mark(word: string, bit: number): void {
  LEXICON.set(word, (LEXICON.get(word) ?? 0) | bit);
}
