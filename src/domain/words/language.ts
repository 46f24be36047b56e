import type { ActWords } from './act-words.ts';
import type { MachineLists } from './machine-lists.ts';
import type { PhraseLists } from './phrase-shape.ts';
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
  machines: MachineLists;
  /** Words with which a question begins. */
  asking: readonly string[];
  /** The pieces in which a word is compared, alike for lists and talk: without accents, elisions apart. */
  fold: (word: string) => readonly string[];
}
