import type { Turn } from '../calls/call.ts';
import { hasDigit, type Words } from '../text.ts';
import type { ActValue, SpokenValue } from '../values/value.ts';
import type { PhraseHit } from '../words/phrase-shape.ts';
import { STOP, VALUE } from '../words/word-bits.ts';
import type { Act } from './act.ts';

/** A turn in which caller or agent said something, with everything that more than one detector asks about it. */
export interface SpokenTurn extends Words {
  turn: Turn;
  /** The turn's index in the imported record. */
  index: number;
  /** Place in `CallReading.spoken`. */
  order: number;
  role: 'caller' | 'agent';
  /** What the lexicon says of each word. */
  bits: readonly number[];
  /** Words that carry matter, each once, in order. */
  content: readonly string[];
  /** Phrases found, by list; empty where no lists exist for the call's language. */
  hits: readonly PhraseHit[];
  /** What the turn does; empty where no lists exist for the call's language. */
  acts: readonly Act[];
  /** The values that it carries, in order; empty where no words of values exist for the call's language. */
  values: readonly ActValue[];
  asks: boolean;
  /** The values in the text alone, for causes; null until the first of them asks (`valuesOfTurn`). */
  textValues: readonly SpokenValue[] | null;
  /** Digits, number words, dates and names that nobody in the caller's turns had said before. */
  newSlots: number;
}

/** True where the turn holds a phrase of the list. */
export function says(turn: SpokenTurn | undefined, list: string): boolean {
  if (turn === undefined) return false;
  for (const hit of turn.hits) if (hit.list === list) return true;
  return false;
}

/** What recognisers write for a sound that is no speech stands in brackets, and nothing beside it: it proves no caller. */
export const isNoiseText = (text: string): boolean => MARKS.test(text);
export const isNoise = (one: SpokenTurn): boolean => isNoiseText(one.turn.text);

const MARKS = /^\s*(?:(?:\[[^\]]{1,40}\]|<[^>]{1,40}>|\([a-z]+(?: [a-z]+){0,2} ?\))[\s.,…-]*)+$/i;

export function contentOf(words: readonly string[], bits: readonly number[]): string[] {
  const content: string[] = [];
  const seen = words.length > SHORT_TURN ? new Set<string>() : null;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (((bits[at] ?? 0) & STOP) !== 0) continue;
    if (seen === null ? content.includes(word) : seen.has(word)) continue;
    seen?.add(word);
    content.push(word);
  }
  return content;
}

/** Up to this many words a list is searched faster than a set is made. */
const SHORT_TURN = 40;

/** A question mark decides; transcripts without any punctuation are judged by their first word. */
export function isQuestion(text: string, words: readonly string[], asking: ReadonlySet<string>): boolean {
  if (text.includes('?')) return true;
  return asking.has(words[0] ?? '') && !text.includes('.') && !text.includes('!');
}

export function countNewSlots(text: string, words: Words, bits: readonly number[], seen: Set<string>): number {
  let fresh = 0;
  for (let at = 0; at < bits.length; at += 1) {
    const word = words.words[at] ?? '';
    const known = bits[at] ?? 0;
    if ((known & VALUE) === 0 && ((known & STOP) !== 0 || !(isName(text, words, at) || hasDigit(word)))) continue;
    if (seen.has(word)) continue;
    seen.add(word);
    fresh += 1;
  }
  return fresh;
}

/** A capital inside a sentence; first words prove nothing. */
function isName(text: string, words: Words, at: number): boolean {
  const start = words.starts[at] ?? 0;
  const code = text.charCodeAt(start);
  if (code < 0x41 || code > 0x5a || at === 0) return false;
  for (let before = words.ends[at - 1] ?? 0; before < start; before += 1) {
    const char = text[before];
    if (char === '.' || char === '!' || char === '?') return false;
  }
  return true;
}
