import type { SpokenTurn } from '../acts/spoken-turn.ts';
import type { Json } from '../json.ts';
import { inStoredOrder } from '../json-order.ts';
import { cutText } from '../text.ts';
import type { PhraseHit } from '../words/phrase-shape.ts';
import type { ToolUse } from './tool-uses.ts';

const QUOTE_AT_MOST = 240;

/** The turn's own words, cut to a length that can be shown. */
export function quoteTurn(turn: SpokenTurn): string {
  const text = turn.turn.text;
  return cutText(text, QUOTE_AT_MOST, turn.starts[0] ?? 0);
}

/** The sentence around a phrase, cut to a length that can be shown. */
export function quoteHit(turn: SpokenTurn, hit: PhraseHit): string {
  const text = turn.turn.text;
  const from = turn.starts[hit.from] ?? 0;
  const to = turn.ends[hit.to - 1] ?? text.length;
  let start = from;
  while (start > 0 && from - start < 100 && !isSentenceEnd(text, start - 1)) start -= 1;
  while (start < from && /\s/.test(text[start] ?? '')) start += 1;
  let end = to;
  while (end < text.length && end - to < 120 && !isSentenceEnd(text, end)) end += 1;
  if (end < text.length && isSentenceEnd(text, end)) end += 1;
  return cutText(text, Math.min(QUOTE_AT_MOST, Math.max(1, end - start)), start);
}

/** The sentence of the first phrase of a list, or of the whole turn where it holds none. */
export function quotePhrase(turn: SpokenTurn, list: string): string {
  const hit = turn.hits.find((one) => one.list === list);
  return hit === undefined ? quoteTurn(turn) : quoteHit(turn, hit);
}

/** A tool result's text as it is stored: the string itself, else its JSON. */
export function storedText(body: Json): string {
  return typeof body === 'string' ? body : JSON.stringify(inStoredOrder(body));
}

/** The telling part of a result: its message where it has one, else its beginning. */
export function quoteResult(use: ToolUse): string {
  const text = storedText(use.body);
  if (use.message !== null) {
    const written = typeof use.body === 'string' ? use.message : JSON.stringify(use.message).slice(1, -1);
    const at = text.indexOf(written);
    if (at >= 0 && written !== '') return cutText(text, Math.min(QUOTE_AT_MOST, written.length), at);
  }
  return cutText(text, QUOTE_AT_MOST);
}

function isSentenceEnd(text: string, at: number): boolean {
  const char = text[at];
  return char === '.' || char === '!' || char === '?' || char === '\n';
}
