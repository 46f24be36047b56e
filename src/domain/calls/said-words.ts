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
/** A vector holds at most a mebibyte of words and places; a word has up to three bytes a character. */
const BYTES_AT_MOST = 1_000_000;

/** What was said on a call as the text of a `tsvector`; between turns lies a gap, so that no phrase reaches over it. */
export function wordVector(turns: readonly Pick<Turn, 'role' | 'text'>[]): string {
  const places = new Map<string, string[]>();
  let bytes = 0;
  let position = 0;
  for (const { role, text } of turns) {
    if (role === 'tool') continue;
    for (const { word } of readWords(text)) {
      position = Math.min(position + 1, LAST_POSITION);
      const known = places.get(word);
      const isFull = known === undefined ? places.size >= WORDS_AT_MOST : known.length >= POSITIONS_OF_A_WORD;
      const more = known === undefined ? 3 * word.length + 6 : 2;
      if (isFull || bytes + more > BYTES_AT_MOST) continue;
      bytes += more;
      const place = `${position}${weightOf(role)}`;
      if (known === undefined) places.set(word, [place]);
      else known.push(place);
    }
    position = Math.min(position + 1, LAST_POSITION);
  }
  return [...places].map(([word, at]) => `'${word}':${at.join()}`).join(' ');
}

/**
 * Stands in the vector of each call of an agent, and in what is asked of them: a search then costs by the calls of its
 * agents, whatever others say on theirs. No word has a colon.
 */
export const wordOfAgent = (agentId: string) => `'agent:${agentId}'`;

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

/** Characters of a call that are looked through: an hour has some 60,000. */
export const SEARCHED_AT_MOST = 100_000;

/**
 * The first turn in which each of these stands; null where none is within what is looked through. Each turn is cut into
 * words once.
 */
export function findWords(
  turns: readonly Pick<Turn, 'index' | 'role' | 'text'>[],
  sought: readonly SoughtWords[],
): (FoundWords | null)[] {
  const found: (FoundWords | null)[] = sought.map(() => null);
  let left = SEARCHED_AT_MOST;
  for (const { index, role, text } of turns) {
    if (role === 'tool') continue;
    const looked = text.slice(0, left);
    left -= looked.length;
    const said = [...readWords(looked)];
    for (const [at, one] of sought.entries()) {
      if (found[at] !== null || (one.by !== null && weightOf(role) !== WEIGHTS[one.by])) continue;
      const place = placeOf(said, one);
      if (place !== null) found[at] = { turn: index, text: snippetOf(text, place) };
    }
    if (left === 0 || !found.includes(null)) break;
  }
  return found;
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
