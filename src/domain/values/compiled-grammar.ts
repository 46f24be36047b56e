import type { PhraseTable } from '../words/phrase-table.ts';
import type { Caught } from '../words/reader-grammar.ts';
import type { Token } from './tokens.ts';

/** One part of a pattern: words of which one stands there, or what is read there. */
export interface PatternPart {
  words: ReadonlySet<string>;
  optional: boolean;
  catches: Catch | null;
}

export interface CompiledPattern {
  parts: readonly PatternPart[];
  reads: (caught: Caught) => string | null;
}

export interface CompiledGrammar {
  below100: PhraseTable<number>;
  hundreds: PhraseTable<number>;
  ordinals: PhraseTable<number>;
  months: PhraseTable<number>;
  halves: PhraseTable<string>;
  readers: PhraseTable<string>;
  /** What a number counts, as in "two nights". */
  units: PhraseTable<string>;
  thousand: ReadonlySet<string>;
  one: ReadonlySet<string>;
  oneBefore: ReadonlySet<string>;
  letters: ReadonlyMap<string, string>;
  asIn: ReadonlySet<string>;
  double: ReadonlySet<string>;
  decimalComma: ReadonlySet<string>;
  stopIsOrdinal: boolean;
  /** Words by which a number, an ordinal among them, can begin. */
  beginsNumber: ReadonlySet<string>;
  byWord: ReadonlyMap<string, readonly CompiledPattern[]>;
  byNumber: readonly CompiledPattern[];
  fold: Fold;
}

export type Reading = { next: number; value: number } | null;

export type Read = (tokens: readonly Token[], at: number, grammar: CompiledGrammar) => Reading;

/** What stands between the braces of a pattern: under which name it is caught, and how it is read. */
export interface Catch {
  name: string;
  read: Read;
}

export type Fold = (word: string) => readonly string[];
