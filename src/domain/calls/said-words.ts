import type { TurnRole } from '../vocabulary.ts';
import type { Turn } from './call.ts';

/**
 * The words of calls as they are searched, in any language: runs of letters and digits without regard to case, and in
 * scripts that put no spaces between words each character, so that a phrase of characters is found like one of words.
 */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{M}\p{N}])+/gu;
const WORD_AT_MOST = 60;

interface Word {
  word: string;
  from: number;
  to: number;
}

function* readWords(text: string): Generator<Word> {
  for (const { 0: found, index } of text.matchAll(WORD)) {
    yield { word: fold(found), from: index, to: index + found.length };
  }
}

/** Without what ends or escapes a word in PostgreSQL's texts, which some signs are written out with. */
const fold = (word: string) =>
  word.normalize('NFKC').toLowerCase().replaceAll(/['\\]/g, '').slice(0, WORD_AT_MOST).toWellFormed();

export const wordsIn = (text: string): string[] => [...readWords(text)].map(({ word }) => word);

/** Who said it, as a weight of PostgreSQL's. */
export const WEIGHTS = { caller: 'A', agent: 'B', other: 'C' } as const;
export type Speaker = keyof typeof WEIGHTS;
const weightOf = (role: TurnRole) => (role === 'caller' || role === 'agent' ? WEIGHTS[role] : WEIGHTS.other);

/** Positions of a vector end here: of words beyond it is known that they were said, and not beside which. */
const LAST_POSITION = 16_383;
const POSITIONS_OF_A_WORD = 255;
const WORDS_AT_MOST = 20_000;

/** What was said on a call as the text of a `tsvector`; between turns lies a gap, so that no phrase reaches over it. */
export function wordVector(turns: readonly Pick<Turn, 'role' | 'text'>[]): string {
  const places = new Map<string, string[]>();
  let position = 0;
  for (const { role, text } of turns) {
    if (role === 'tool') continue;
    for (const { word } of readWords(text)) {
      position = Math.min(position + 1, LAST_POSITION);
      const known = places.get(word);
      if (known === undefined) {
        if (places.size < WORDS_AT_MOST) places.set(word, [`${position}${weightOf(role)}`]);
      } else if (known.length < POSITIONS_OF_A_WORD) known.push(`${position}${weightOf(role)}`);
    }
    position = Math.min(position + 1, LAST_POSITION);
  }
  return [...places].map(([word, at]) => `'${word}':${at.join()}`).join(' ');
}

/** Words that are looked for, in their order. */
export interface SoughtWords {
  words: readonly string[];
  /** Whether the last word may go on. */
  isBeginning: boolean;
  /** Whose words; null for anybody's. */
  by: Speaker | null;
}

/** The same as the text of a `tsquery`. */
export function wordQuery({ words, isBeginning, by }: SoughtWords): string {
  return words
    .map((word, at) => {
      const marks = `${isBeginning && at === words.length - 1 ? '*' : ''}${by === null ? '' : WEIGHTS[by]}`;
      return `'${word}'${marks === '' ? '' : `:${marks}`}`;
    })
    .join(' <-> ');
}

export interface FoundWords {
  turn: number;
  /** The turn around the words, cut at both ends where it is long. */
  text: string;
}

const SNIPPET_BEFORE = 60;
const SNIPPET_AT_MOST = 200;

/** The first turn in which the words stand; null where they do not. */
export function findWords(
  turns: readonly Pick<Turn, 'index' | 'role' | 'text'>[],
  sought: SoughtWords,
): FoundWords | null {
  const weight = sought.by && WEIGHTS[sought.by];
  for (const { index, role, text } of turns) {
    if (role === 'tool' || (weight !== null && weightOf(role) !== weight)) continue;
    const at = placeOf([...readWords(text)], sought);
    if (at !== null) return { turn: index, text: snippetOf(text, at) };
  }
  return null;
}

function placeOf(said: readonly Word[], { words, isBeginning }: SoughtWords): number | null {
  const fits = (from: number) =>
    words.every((word, at) => {
      const heard = said[from + at]?.word;
      return heard === word || (isBeginning && at === words.length - 1 && heard?.startsWith(word) === true);
    });
  const from = said.findIndex((_, at) => fits(at));
  return said[from]?.from ?? null;
}

function snippetOf(text: string, at: number): string {
  if (text.length <= SNIPPET_AT_MOST) return text;
  const space = text.indexOf(' ', Math.max(0, at - SNIPPET_BEFORE));
  const from = at <= SNIPPET_BEFORE ? 0 : space === -1 || space > at ? at : space + 1;
  const cut = text.slice(from, from + SNIPPET_AT_MOST).toWellFormed();
  return `${from > 0 ? '… ' : ''}${cut}${from + SNIPPET_AT_MOST < text.length ? ' …' : ''}`;
}
