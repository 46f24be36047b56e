import type { ActWords } from '../words/act-words.ts';
import { ENGLISH_WORDS } from '../words/en/act-words.ts';
import type { LanguageData } from '../words/language.ts';
import { languageData } from '../words/language-data.ts';
import { mark } from '../words/lexicon.ts';
import { type PhraseTable, phraseTable } from '../words/phrase-table.ts';
import { VALUE_WORD } from '../words/word-bits.ts';
import { compileGrammar, isReaderWord } from './compile-grammar.ts';
import type { CompiledGrammar } from './compiled-grammar.ts';

/** `ActWords` with its rows of words in the form in which they are looked up fast. */
export interface CompiledWords {
  language: string;
  choices: PhraseTable<{ slot: string; form: string }>;
  units: PhraseTable<string>;
  denials: PhraseTable<true>;
  notDays: ReadonlySet<string>;
  notAlone: ReadonlySet<string>;
  numberBetweenSigns: ReadonlySet<string>;
  between: ReadonlySet<string>;
  /** How the language says values; null for English, as which the readers know them. */
  grammar: CompiledGrammar | null;
}

type Fold = (word: string) => readonly string[];

const COMPILED = new Map<string, CompiledWords | null>([[ENGLISH_WORDS.language, compileEnglish(ENGLISH_WORDS)]]);

/** @returns the words of a language (BCP 47 primary tag), or null where there are none; compiled at the first call in it. */
export function wordsOf(language: string): CompiledWords | null {
  const known = COMPILED.get(language);
  if (known !== undefined) return known;
  const data = languageData(language);
  const made = data === null ? null : compileOther(data);
  if (made !== null) COMPILED.set(language, made);
  return made;
}

/** Turns are looked up before their language is known, so the English words are marked at once. */
function compileEnglish(words: ActWords): CompiledWords {
  for (const phrase of ['dot', ...Object.values(words.choices).flatMap((forms) => Object.keys(forms))])
    mark(phrase.split(' ')[0] ?? '', VALUE_WORD);
  return compile(words, (word) => [word], null);
}

function compileOther(data: LanguageData): CompiledWords {
  const fold: Fold = (word) =>
    data.fold(word).map((piece) => (piece.length === 1 || isReaderWord(piece) ? `_${piece}` : piece));
  return compile(data.words, fold, compileGrammar(data.grammar, data.words, data.fold));
}

function compile(words: ActWords, fold: Fold, grammar: CompiledGrammar | null): CompiledWords {
  const choices = Object.entries(words.choices).flatMap(([slot, forms]) =>
    Object.entries(forms).map(([phrase, form]): [string, { slot: string; form: string }] => [phrase, { slot, form }]),
  );
  const all = (phrases: readonly string[]) =>
    phraseTable(
      phrases.map((phrase): [string, true] => [phrase, true]),
      fold,
    );
  return {
    language: words.language,
    choices: phraseTable(choices, fold),
    units: phraseTable(Object.entries(words.units), fold),
    denials: all(words.denials),
    notDays: new Set(words.notDays.flatMap(fold)),
    notAlone: new Set(words.notAlone.flatMap(fold)),
    numberBetweenSigns: new Set(words.numberBetweenSigns.flatMap(fold)),
    between: new Set(words.between.flatMap(fold)),
    grammar,
  };
}
