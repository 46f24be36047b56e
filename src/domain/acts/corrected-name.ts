import type { SpokenTurn } from '../calls/spoken-turn.ts';
import { editDistance } from '../edit-distance.ts';
import type { ActValue, Correction } from './act.ts';

const LETTERS_AT_LEAST = 3;
/** Of what the agent said; a correction itself is short. */
const WORDS_READ = 60;
const WORDS_OF_CORRECTION = 16;

/** "No, it's Stubbs", after "in the name of Stopes": a word of the agent that the caller's word nearly is. */
export function correctedName(turn: SpokenTurn, heard: SpokenTurn): Correction | null {
  if (turn.words.length > WORDS_OF_CORRECTION) return null;
  for (let at = 0; at < Math.min(heard.words.length, WORDS_READ); at += 1) {
    const word = heard.words[at] ?? '';
    if (word.length < LETTERS_AT_LEAST || (heard.bits[at] ?? 0) !== 0 || !isName(heard, at)) continue;
    for (let place = 0; place < turn.words.length; place += 1) {
      const own = turn.words[place] ?? '';
      if (own === word || own.length < LETTERS_AT_LEAST || (turn.bits[place] ?? 0) !== 0) continue;
      if (!isNearName(word, own)) continue;
      return {
        turn: turn.index,
        slot: 'name',
        old: nameAt(heard, at),
        oldBy: 'agent',
        oldTurn: heard.index,
        now: nameAt(turn, place),
        explicit: true,
      };
    }
  }
  return null;
}

/** A capital inside a sentence. */
function isName(turn: SpokenTurn, at: number): boolean {
  const code = turn.turn.text.charCodeAt(turn.starts[at] ?? 0);
  return at > 0 && code >= 0x41 && code <= 0x5a;
}

/** It sounds alike: the same beginning, and no more than half of the letters another. Forms of one word are no correction. */
export function isNearName(a: string, b: string): boolean {
  if (a.charAt(0) !== b.charAt(0)) return false;
  const most = Math.floor(Math.max(a.length, b.length) / 2);
  if (a.startsWith(b) || b.startsWith(a)) return false;
  return editDistance(a, b, most) <= most;
}

export function nameAt(turn: SpokenTurn, at: number): ActValue {
  const [from, to] = [turn.starts[at] ?? 0, turn.ends[at] ?? 0];
  const text = turn.turn.text.slice(from, to);
  return { kind: 'spelling', slot: 'name', from, to, text, forms: [text.toLowerCase()], denied: false };
}
