import { cutTokens, isGlued, type Token } from '../calls/values/tokens.ts';
import { foldWord, NUMBER_PHRASES } from './number-words.ts';

/** A street with its house number, or a part of a house, as it stands in a text. */
export interface FoundStreet {
  /** Of the words that name it; of an ending within a word ("Lindenstraße") without it. Empty for a part of a house. */
  name: { from: number; to: number };
  /** Of the number; null where none was told. */
  number: { from: number; to: number } | null;
}

const SURE = new Set('street avenue ave road rd lane ln boulevard blvd terrace parkway pkwy crescent'.split(' '));
const WITH_NUMBER = new Set(
  'st drive dr court ct way place pl circle cir highway hwy close square sq row trail alley grove gardens'.split(' '),
);
const BEFORE_NAME = new Set(
  'rue avenue boulevard calle avenida paseo plaza chemin allee impasse carrer carrera'.split(' '),
);
const UNITS = new Set('apt apartment suite unit flat wohnung piso appartement'.split(' '));
const GERMAN = /^(\p{L}{3,40}?)(?:strasse|straße|str|weg|gasse|allee|platz|ring|damm|ufer)$/u;
const NAME_WORDS_AT_MOST = 3;
const NUMBER_WORDS_AT_MOST = 4;
const NO_NAME = new Set('the a an this that on at in of is my your our one right same next across from to'.split(' '));

/** Streets and parts of houses of a text in order, none inside another. */
export function readStreets(text: string): FoundStreet[] {
  const tokens = cutTokens(text);
  const found: FoundStreet[] = [];
  for (const at of tokens.keys()) {
    const one = streetAt(text, tokens, at);
    if (one === null) continue;
    const from = Math.min(one.name.from, one.number?.from ?? one.name.from);
    const last = found.at(-1);
    if (last === undefined || Math.max(last.name.to, last.number?.to ?? 0) <= from) found.push(one);
  }
  return found;
}

function streetAt(text: string, tokens: readonly Token[], at: number): FoundStreet | null {
  const token = tokens[at];
  if (token?.kind !== 'word') return null;
  const folded = foldWord(token.text);
  if (SURE.has(folded) || WITH_NUMBER.has(folded)) {
    const named = namedBefore(text, tokens, at, WITH_NUMBER.has(folded));
    if (named !== null) return named;
  }
  if (BEFORE_NAME.has(folded)) return namedBehind(text, tokens, at);
  if (UNITS.has(folded)) {
    const number = numberBehind(tokens, tokens[at + 1]?.text === '.' ? at + 2 : at + 1);
    return number && { name: { from: number.from, to: number.from }, number };
  }
  const german = GERMAN.exec(token.text);
  const number = german === null ? null : numberBehind(tokens, tokens[at + 1]?.text === '.' ? at + 2 : at + 1);
  return number && { name: { from: token.from, to: token.from + (german?.[1]?.length ?? 0) }, number };
}

function namedBefore(text: string, tokens: readonly Token[], at: number, needsNumber: boolean): FoundStreet | null {
  let start = at;
  while (at - start < NAME_WORDS_AT_MOST) {
    const token = tokens[start - 1];
    const isPoint = token?.text === '.' && tokens[start - 2]?.text.length === 1;
    if (token === undefined || (token.kind !== 'word' && !isPoint) || NO_NAME.has(token.text)) break;
    if (isFigure(token) && start < at) break;
    start -= isPoint ? 2 : 1;
  }
  if (start === at) return null;
  const [first, last] = [tokens[start], tokens[at - 1]];
  if (first === undefined || last === undefined) return null;
  const name = { from: first.from, to: last.to };
  const number = numberBefore(tokens, start);
  if (number !== null) return { name, number };
  if (needsNumber) return null;
  // "I live on Elm Street": capitals tell it from "across the street".
  let own = at;
  while (own > start && isCapital(text, tokens[own - 1])) own -= 1;
  return own < at && isCapital(text, tokens[at])
    ? { name: { from: tokens[own]?.from ?? 0, to: last.to }, number: null }
    : null;
}

function namedBehind(text: string, tokens: readonly Token[], at: number): FoundStreet | null {
  let end = at + 1;
  while (end - at - 1 < NAME_WORDS_AT_MOST + 1) {
    const token = tokens[end];
    const isSmall = /^(?:de|del|la|du|des|los|las|l'|d')$/.test(token?.text ?? '');
    if (token?.kind !== 'word' || !(isCapital(text, token) || isSmall)) break;
    end += 1;
  }
  const [first, last] = [tokens[at + 1], tokens[end - 1]];
  if (end === at + 1 || first === undefined || last === undefined) return null;
  const number = numberBefore(tokens, at) ?? numberBehind(tokens, tokens[end]?.text === ',' ? end + 1 : end);
  return number && { name: { from: first.from, to: last.to }, number };
}

function numberBefore(tokens: readonly Token[], at: number): { from: number; to: number } | null {
  const end = tokens[at - 1]?.text === ',' ? at - 1 : at;
  let start = end;
  while (end - start < NUMBER_WORDS_AT_MOST && isFigure(tokens[start - 1])) {
    if (tokens[start - 1]?.kind === 'digits' && (tokens[start - 1]?.text.length ?? 0) > 6) break;
    start -= 1;
  }
  const [first, last] = [tokens[start], tokens[end - 1]];
  return start === end || first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}

function numberBehind(tokens: readonly Token[], at: number): { from: number; to: number } | null {
  const token = tokens[tokens[at]?.text === '#' ? at + 1 : at];
  if (token?.kind === 'digits') return token.text.length > 5 ? null : { from: token.from, to: token.to };
  if (token === undefined || !isFigure(token) || isGlued(tokens, at)) return null;
  return { from: token.from, to: token.to };
}

const isFigure = (token: Token | undefined) =>
  token !== undefined && (token.kind === 'digits' || NUMBER_PHRASES.has(foldWord(token.text)));

const isCapital = (text: string, token: Token | undefined) =>
  token !== undefined && /^\p{Lu}/u.test(text.charAt(token.from));
