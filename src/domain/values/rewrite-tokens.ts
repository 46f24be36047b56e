import { phraseAtToken } from '../words/phrase-table.ts';
import { isReaderWord } from './compile-grammar.ts';
import type { CompiledGrammar, PatternPart } from './compiled-grammar.ts';
import { readWholeNumber } from './rewrite-numbers.ts';
import { isGlued, type Token } from './tokens.ts';

/** A token of the talk: whether it is a capital by itself, and whether it is cut off a word ("l'"). */
export interface TalkToken extends Token {
  capital?: boolean;
  elided?: boolean;
}

/**
 * The tokens of a text in another language as the value readers know them: "halb acht" is "7:30", "vierter Elfter" is
 * "4 november". A row of tokens that stands for another one keeps its place in the text.
 */
export function rewriteTokens(tokens: readonly TalkToken[], grammar: CompiledGrammar): Token[] {
  const read: Token[] = [];
  let at = 0;
  while (at < tokens.length) {
    const found = rewriteAt(tokens, at, grammar);
    if (found === null) {
      const token = tokens[at];
      if (token !== undefined) read.push(token.kind === 'word' ? plain(tokens, at, token) : token);
      at += 1;
    } else {
      put(read, found.reads, tokens[at]?.from ?? 0, tokens[found.next - 1]?.to ?? 0);
      at = found.next;
    }
  }
  return read;
}

interface Rewriting {
  next: number;
  reads: string;
}

function rewriteAt(tokens: readonly TalkToken[], at: number, grammar: CompiledGrammar): Rewriting | null {
  return (
    readPattern(tokens, at, grammar) ??
    readWord(tokens, at, grammar, ROW) ??
    readLetter(tokens, at, grammar) ??
    readNumberAt(tokens, at, grammar) ??
    readWord(tokens, at, grammar, 1)
  );
}

function readPattern(tokens: readonly TalkToken[], at: number, grammar: CompiledGrammar): Rewriting | null {
  const first = tokens[at];
  if (first === undefined) return null;
  const named = grammar.byWord.get(first.text) ?? [];
  const numbered = first.kind === 'digits' || grammar.beginsNumber.has(first.text) ? grammar.byNumber : [];
  let best: Rewriting | null = null;
  for (const { parts, reads } of named.length === 0 ? numbered : [...named, ...numbered]) {
    const caught: Record<string, number> = {};
    const next = follow(tokens, at, parts, 0, caught, grammar);
    if (next === null || (best !== null && next <= best.next) || isCounted(tokens, next, parts, grammar)) continue;
    const text = reads(caught);
    if (text !== null) best = { next, reads: text };
  }
  return best !== null && /^\d+:\d\d$/.test(best.reads) ? withHalf(tokens, best.next, best.reads, grammar) : best;
}

/** "Um zwei Tage", "a las tres noches": a number before what it counts is no hour. */
function isCounted(
  tokens: readonly TalkToken[],
  next: number,
  parts: readonly PatternPart[],
  grammar: CompiledGrammar,
): boolean {
  return parts.at(-1)?.catches?.name === 'hour' && phraseAtToken(grammar.units, tokens, next) !== null;
}

function withHalf(tokens: readonly TalkToken[], next: number, text: string, grammar: CompiledGrammar): Rewriting {
  const half = phraseAtToken(grammar.halves, tokens, next);
  if (half === null) return { next, reads: text };
  return { next: half.next, reads: Number(text.split(':')[0]) > 12 ? text : `${text} ${half.value}` };
}

function follow(
  tokens: readonly TalkToken[],
  at: number,
  parts: readonly PatternPart[],
  place: number,
  caught: Record<string, number>,
  grammar: CompiledGrammar,
): number | null {
  const part = parts[place];
  if (part === undefined) return at;
  if (part.catches === null) {
    if (part.words.has(tokens[at]?.text ?? '')) {
      const end = follow(tokens, at + 1, parts, place + 1, caught, grammar);
      if (end !== null) return end;
    }
    return part.optional ? follow(tokens, at, parts, place + 1, caught, grammar) : null;
  }
  const value = part.catches.read(tokens, at, grammar);
  if (value === null) return null;
  caught[part.catches.name] = value.value;
  return follow(tokens, value.next, parts, place + 1, caught, grammar);
}

/** "M wie Martha", "doppel L", and three names of letters in a row. */
function readLetter(tokens: readonly TalkToken[], at: number, grammar: CompiledGrammar): Rewriting | null {
  const word = tokens[at]?.text ?? '';
  const after = tokens[at + 1]?.text ?? '';
  if (grammar.double.has(word)) {
    const number = readWholeNumber(tokens, at + 1, grammar);
    if (number !== null && number.value < 10) return { next: number.next, reads: `${number.value}${number.value}` };
    if (isLetter(after)) return { next: at + 2, reads: `double ${after}` };
  }
  if (
    isLetter(word) &&
    grammar.asIn.has(after) &&
    tokens[at + 2]?.text.startsWith(word) === true &&
    tokens[at + 2]?.text !== word
  )
    return { next: at + 3, reads: word };
  const letter = grammar.letters.get(word);
  if (letter === undefined || lettersAround(tokens, at, grammar) < LETTERS_IN_ROW) return null;
  return { next: at + 1, reads: letter };
}

const LETTERS_IN_ROW = 3;

function lettersAround(tokens: readonly TalkToken[], at: number, grammar: CompiledGrammar): number {
  let count = 0;
  for (let place = at; isNamed(tokens, place, grammar); place -= 1) count += 1;
  for (let place = at + 1; isNamed(tokens, place, grammar); place += 1) count += 1;
  return count;
}

function isNamed(tokens: readonly TalkToken[], at: number, grammar: CompiledGrammar): boolean {
  const word = tokens[at]?.text ?? '';
  return isLetter(word) || grammar.letters.has(word);
}

function isLetter(word: string): boolean {
  return word.length === 1 && word >= 'a' && word <= 'z';
}

function readNumberAt(tokens: readonly TalkToken[], at: number, grammar: CompiledGrammar): Rewriting | null {
  const number = readWholeNumber(tokens, at, grammar);
  if (number === null) return null;
  if (grammar.decimalComma.has(tokens[number.next]?.text ?? '')) {
    const decimals = readWholeNumber(tokens, number.next + 1, grammar);
    if (decimals !== null) return { next: decimals.next, reads: `${number.value}.${decimals.digits}` };
  }
  return { next: number.next, reads: number.digits };
}

/** Rows of words are read before numbers, which may begin them: "mil gracias". */
const ROW = 2;

function readWord(
  tokens: readonly TalkToken[],
  at: number,
  grammar: CompiledGrammar,
  wordsAtLeast: number,
): Rewriting | null {
  const known = phraseAtToken(grammar.readers, tokens, at);
  return known === null || known.next - at < wordsAtLeast ? null : { next: known.next, reads: known.value };
}

/** A word that the readers would take for one of theirs ("am", "may") is none here; nor is a letter that is a word. */
function plain(tokens: readonly TalkToken[], at: number, token: TalkToken): Token {
  if (token.text.length === 1 ? isSpelled(tokens, at, token) : !isReaderWord(token.text)) return token;
  return { ...token, text: `_${token.text}` };
}

/** A capital, or a letter among letters and figures. */
function isSpelled(tokens: readonly TalkToken[], at: number, token: TalkToken): boolean {
  if (token.capital === true) return true;
  if (token.elided === true) return false;
  let letters = 1;
  for (let place = at - 1; tokens[place]?.text.length === 1 && tokens[place]?.kind === 'word'; place -= 1) letters += 1;
  for (let place = at + 1; tokens[place]?.text.length === 1 && tokens[place]?.kind === 'word'; place += 1) letters += 1;
  if (letters >= LETTERS_IN_ROW) return true;
  return isGlued(tokens, at) && tokens[at - 1]?.kind === 'digits'
    ? true
    : isGlued(tokens, at + 1) && tokens[at + 1]?.kind === 'digits';
}

const PIECES = /(?<!\s)(\s*)(\d+|[\p{L}_']+|\S)/gu;

/** What stands for a row of tokens keeps the row's place; pieces without a space between are glued together at its end. */
function put(read: Token[], text: string, from: number, to: number): void {
  let first = true;
  for (const [, space = '', piece = ''] of text.matchAll(PIECES)) {
    const kind = /^\d/.test(piece) ? 'digits' : /^[\p{L}_]/u.test(piece) ? 'word' : 'sign';
    read.push({ text: piece, from: first || space !== '' ? from : to, to, kind });
    first = false;
  }
}
