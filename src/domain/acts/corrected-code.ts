import type { SpokenTurn } from '../calls/spoken-turn.ts';
import type { ActValue, Correction } from './act.ts';
import { apart, isNearCode, isShuffled } from './near-code.ts';

/**
 * "No, six at the end, zero three six": the part that was wrong is said, and the rest of the code stands. Without a word of
 * correction only what the caller had said before puts it right.
 */
export function correctedCode(
  turn: SpokenTurn,
  heard: SpokenTurn,
  isKnown: (part: string) => boolean,
): Correction | null {
  for (const value of turn.values.toReversed()) {
    if (value.denied || !isPart(value)) continue;
    const part = value.forms.at(-1) ?? '';
    if (!isKnown(part)) continue;
    for (const old of heard.values) {
      if (old.slot !== 'code') continue;
      const right = putRight(old.forms.at(-1) ?? '', part);
      if (right === null) continue;
      const now: ActValue = { ...value, kind: old.kind, slot: 'code', forms: [right] };
      return { turn: turn.index, slot: 'code', old, oldBy: 'agent', oldTurn: heard.index, now, explicit: true };
    }
  }
  const spelled = bySpelling(turn, heard);
  return spelled !== null && isKnown(spelled.now.forms[0] ?? '') ? spelled : null;
}

function isPart({ slot }: ActValue): boolean {
  return slot === 'code' || slot === 'count' || slot === 'spelling';
}

/** The code with its end as the caller says it; null where the end is the same, or another thing altogether. */
function putRight(whole: string, part: string): string | null {
  if (part.length === whole.length) return isNearCode(whole, part) ? part : null;
  if (part.length < PART_AT_LEAST || part.length > whole.length || whole.includes(part)) return null;
  const end = whole.slice(-part.length);
  if (apart(end, part) > (part.length * 2) / 3 && !isShuffled(end, part)) return null;
  return whole.slice(0, -part.length) + part;
}

const PART_AT_LEAST = 2;

/** "No, V D Y, D for dog", "d for dog, d q": letters, of which one is made clear by a word, in the place of those at the end of the code. */
function bySpelling(turn: SpokenTurn, heard: SpokenTurn): Correction | null {
  const parts = spelledParts(turn);
  if (parts.length === 0) return null;
  for (const old of heard.values) {
    if (old.slot !== 'code') continue;
    const whole = old.forms.at(-1) ?? '';
    const right = parts
      .flatMap((part) => putRight(whole, part) ?? [])
      .sort((a, b) => apart(whole, a) - apart(whole, b));
    const [form] = right;
    if (form === undefined) continue;
    const [from, to] = [turn.starts[0] ?? 0, turn.ends.at(-1) ?? 0];
    const now: ActValue = { kind: old.kind, slot: 'code', from, to, text: form, forms: [form], denied: false };
    return { turn: turn.index, slot: 'code', old, oldBy: 'agent', oldTurn: heard.index, now, explicit: true };
  }
  return null;
}

/** The row of letters without the one that is made clear, and what stands behind that one; none where no letter is. */
function spelledParts(turn: SpokenTurn): string[] {
  let [all, behind] = ['', ''];
  let cleared = false;
  for (let at = 0; at < turn.words.length && at < WORDS_READ; at += 1) {
    const word = turn.words[at] ?? '';
    if (word.length !== 1 || !/[a-z\d]/.test(word)) continue;
    const named = wordFor(turn, at);
    if (named.length > 1 && named.startsWith(word)) {
      cleared = true;
      behind = '';
      if (!all.endsWith(word)) all += word;
    } else {
      all += word;
      behind += word;
    }
  }
  return cleared ? [all, behind].filter(({ length }) => length >= PART_AT_LEAST).map((part) => part.toUpperCase()) : [];
}

/** The "dog" of "D for dog", "D as in dog". */
function wordFor(turn: SpokenTurn, at: number): string {
  const [first = '', second = '', third = ''] = turn.words.slice(at + 1);
  if (!AS_IN.has(first)) return '';
  return first === 'as' && second === 'in' ? third : second;
}

const WORDS_READ = 40;
const AS_IN = new Set(['for', 'like', 'as', 'wie', 'de', 'como', 'comme']);
