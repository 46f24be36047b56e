import { GERMAN_QUESTIONS } from './de/question-words.ts';
import { ENGLISH_QUESTIONS } from './en/question-words.ts';
import { SPANISH_QUESTIONS } from './es/question-words.ts';
import { FRENCH_QUESTIONS } from './fr/question-words.ts';
import type { QuestionWords } from './question-words.ts';

const NONE: ReadonlySet<string> = new Set();
const NO_WORDS: QuestionWords = {
  asks: NONE,
  leads: NONE,
  goesOn: NONE,
  insists: NONE,
  yesOrNo: NONE,
  open: NONE,
  tags: [NONE, NONE],
  inverted: [NONE, NONE],
  unfinished: NONE,
  empty: NONE,
};

const BY_LANGUAGE: Readonly<Record<string, QuestionWords>> = {
  en: ENGLISH_QUESTIONS,
  de: GERMAN_QUESTIONS,
  es: SPANISH_QUESTIONS,
  fr: FRENCH_QUESTIONS,
};

/** @returns the words of a language (BCP 47 primary tag); no words where there are none. */
export function questionWordsOf(language: string | null): QuestionWords {
  return BY_LANGUAGE[language ?? ''] ?? NO_WORDS;
}
