import type { ActWords } from './act-words.ts';
import { GERMAN } from './de/language.ts';
import { SPANISH } from './es/language.ts';
import { FRENCH } from './fr/language.ts';
import type { PhraseLists } from './phrase-list.ts';
import type { ReaderGrammar } from './reader-grammar.ts';

/** What is known of a language other than English, whose lists the others are written after. */
export interface LanguageData {
  phrases: PhraseLists;
  words: ActWords;
  grammar: ReaderGrammar;
  /** Words that say little about the matter of a talk. */
  stopWords: readonly string[];
  /** Numbers, days and months in words. */
  valueWords: readonly string[];
  /** Words by which a system or a business turns a request down without being broken. */
  refusals: readonly string[];
  /** Words with which a question begins. */
  asking: readonly string[];
  /** The pieces in which a word is compared, alike for lists and talk: without accents, elisions apart. */
  fold: (word: string) => readonly string[];
}

const BY_LANGUAGE: ReadonlyMap<string, LanguageData> = new Map(
  [GERMAN, SPANISH, FRENCH].map((data) => [data.phrases.language, data]),
);

/** @returns what is known of a language (BCP 47 primary tag), or null for English and for languages without lists. */
export function languageData(language: string): LanguageData | null {
  return BY_LANGUAGE.get(language) ?? null;
}
