import type { ActWords } from '../words/act-words.ts';
import { MORE_READER_WORDS } from '../words/en/values.ts';
import { phraseTable } from '../words/phrase-table.ts';
import type { ReaderGrammar } from '../words/reader-grammar.ts';
import { BEGINNINGS } from './beginnings.ts';
import type { CompiledGrammar, CompiledPattern, Fold, PatternPart } from './compiled-grammar.ts';
import { CATCHES } from './pattern-catches.ts';

/** The grammar in the form in which tokens are looked up; all its words are folded as those of the talk are. */
export function compileGrammar(grammar: ReaderGrammar, words: ActWords, fold: Fold): CompiledGrammar {
  const table = <T>(rows: Readonly<Record<string, T>>) => phraseTable(Object.entries(rows), fold);
  const set = (row: readonly string[]) => new Set(row.flatMap(fold));
  const tables = {
    below100: table(grammar.below100),
    hundreds: table(grammar.hundreds),
    ordinals: table(grammar.ordinals),
  };
  const patterns = grammar.patterns.map(({ said, reads }) => ({
    parts: said.split(' ').map((part) => compilePart(part, fold)),
    reads,
  }));
  const thousand = set(grammar.thousand);
  return {
    ...tables,
    months: table(grammar.months),
    halves: table(grammar.halves),
    readers: table(words.readers),
    units: table(words.units),
    thousand,
    one: set(grammar.one),
    oneBefore: set(grammar.oneBefore),
    letters: new Map(Object.entries(grammar.letters).map(([name, letter]) => [fold(name)[0] ?? '', letter])),
    asIn: set(grammar.asIn),
    double: set(grammar.double),
    decimalComma: set(grammar.decimalComma),
    stopIsOrdinal: grammar.stopIsOrdinal,
    beginsNumber: new Set([...Object.values(tables).flatMap((one) => [...one.keys()]), ...thousand]),
    byWord: byFirstWord(patterns),
    byNumber: patterns.filter(({ parts }) => mayBeginWithNumber(parts)),
    fold,
  };
}

function compilePart(part: string, fold: Fold): PatternPart {
  const optional = part.startsWith('[') && part.length > 2;
  const bare = optional ? part.slice(1, -1) : part;
  const catches = bare.startsWith('{') ? (CATCHES[bare.slice(1, -1)] ?? null) : null;
  const words = catches === null ? new Set(bare === '/' ? ['/'] : bare.split('/').flatMap(fold)) : new Set<string>();
  return { words, optional, catches };
}

function byFirstWord(patterns: readonly CompiledPattern[]): ReadonlyMap<string, readonly CompiledPattern[]> {
  const rows = new Map<string, CompiledPattern[]>();
  for (const pattern of patterns) {
    for (const part of pattern.parts) {
      for (const word of part.words) rows.set(word, [...(rows.get(word) ?? []), pattern]);
      if (!part.optional) break;
    }
  }
  return rows;
}

function mayBeginWithNumber(parts: readonly PatternPart[]): boolean {
  const first = parts.find((part) => !part.optional);
  return first?.catches !== null && first !== undefined;
}

/** True for a word that the value readers know, which in another language means something else. */
export function isReaderWord(word: string): boolean {
  return BEGINNINGS.has(word) || MORE_READER_WORDS.has(word);
}
