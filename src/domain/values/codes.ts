import { SOUNDS, SPELLING } from '../words/en/values.ts';
import { digitOf, NUMBER_BEGINNINGS, readNumber } from './numbers.ts';
import { isGlued, type Token } from './tokens.ts';
import type { SpokenValue } from './value.ts';

const BEGINS_NUMBER: ReadonlySet<string> = new Set(NUMBER_BEGINNINGS);
const ARTICLES = new Set(['a', 'i']);
const JOINTS = new Set(['dash', 'hyphen', 'slash', 'underscore', 'hash', 'pound', '-', '#', '_', ',', '.']);
const JOINTS_AT_MOST = 4;
/** Shorter rows of letters and digits are more likely an abbreviation or a plain number. */
const CODE_AT_LEAST = 3;
const ATOMS_AT_MOST = 60;

/** "QM286", "#R-5480", "K four seven B one nine", "Quebec Mike seven thirty": a code that begins at a token. */
export function readCode(tokens: readonly Token[], at: number): { next: number; value: SpokenValue } | null {
  let text = '';
  let next = at;
  let end = at;
  for (let atoms = 0; atoms < ATOMS_AT_MOST; atoms += 1) {
    const atom = readAtom(tokens, next);
    if (atom === null || (text !== '' && (isPronoun(tokens, next) || isArticle(tokens, next, text)))) break;
    text += atom.text;
    next = atom.next;
    end = atom.next;
    next = skipJoints(tokens, next);
  }
  if (text.length < CODE_AT_LEAST || !/\d/.test(text) || !/[A-Z]/.test(text)) return null;
  // "A fifty five": an article before a number spells nothing.
  if (ARTICLES.has(tokens[at]?.text ?? '') && !/[A-Z]/.test(text.slice(1))) return null;
  const from = tokens[at]?.from ?? 0;
  return { next: end, value: { kind: 'code', from, to: tokens[end - 1]?.to ?? from, forms: [text] } };
}

/** "Twenty four I always say": behind a number, and before a word of its own. */
function isPronoun(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return tokens[at]?.text === 'i' && next?.kind === 'word' && readAtom(tokens, at + 1) === null;
}

/** "Nine thirty, a basic service": behind figures alone, and before a word of its own. */
function isArticle(tokens: readonly Token[], at: number, figures: string): boolean {
  if (tokens[at]?.text !== 'a' || /\D/.test(figures)) return false;
  const next = tokens[at + 1];
  return next?.kind === 'word' && next.text !== 'for' && next.text !== 'as' && readAtom(tokens, at + 1) === null;
}

export const CODE_JOINTS: readonly string[] = [...JOINTS, ...SOUNDS];
export const CODE_BEGINNINGS: readonly string[] = [...SPELLING.keys()];

/** True for the name of a letter, as in spelling over the phone. */
export function isLetterName(word: string): boolean {
  return SPELLING.has(word);
}

/** One letter, a letter by its name, digits in figures or words, or a written run such as "QM286". */
function readAtom(tokens: readonly Token[], at: number): { next: number; text: string } | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.kind === 'digits') return { next: at + 1, text: token.text };
  if (token.kind === 'sign') return null;
  const spelled = SPELLING.get(token.text);
  if (spelled !== undefined) return { next: at + 1, text: spelled };
  if (token.text === 'double' || token.text === 'triple') return readRepeat(tokens, at);
  if (token.text.length === 1)
    return { next: skipRay(tokens, at) ?? skipAsIn(tokens, at), text: token.text.toUpperCase() };
  if (digitOf(token.text) !== null) return { next: at + 1, text: String(digitOf(token.text)) };
  const number = BEGINS_NUMBER.has(token.text) ? readNumber(tokens.slice(at, at + 3), 0) : null;
  if (number !== null && number.groups.length >= 1 && /^[a-z]/.test(token.text)) {
    const first = readNumber(tokens.slice(at, at + 2), 0);
    if (first !== null && first.groups.length === 1) return { next: at + first.next, text: first.digits };
    return { next: at + 1, text: String(number.groups[0]) };
  }
  // Letters written in one with digits belong to a code; a word of its own doesn't.
  const glued = isGlued(tokens, at + 1) && tokens[at + 1]?.kind === 'digits';
  const after = isGlued(tokens, at) && tokens[at - 1]?.kind === 'digits';
  return (glued || after) && token.text.length <= 6 ? { next: at + 1, text: token.text.toUpperCase() } : null;
}

function readRepeat(tokens: readonly Token[], at: number): { next: number; text: string } | null {
  const word = tokens[at + 1]?.text ?? '';
  const one = word.length === 1 ? word.toUpperCase() : (digitOf(word)?.toString() ?? SPELLING.get(word));
  if (one === undefined) return null;
  return { next: at + 2, text: one.repeat(tokens[at]?.text === 'double' ? 2 : 3) };
}

/** "X-ray" is cut at its hyphen. */
function skipRay(tokens: readonly Token[], at: number): number | null {
  const isRay = tokens[at]?.text === 'x' && tokens[at + 1]?.text === '-' && tokens[at + 2]?.text === 'ray';
  return isRay ? at + 3 : null;
}

/** "S as in Sam", "N for November": the word after it says the letter once more. */
function skipAsIn(tokens: readonly Token[], at: number): number {
  const first = tokens[at + 1]?.text;
  if (first === 'as' && tokens[at + 2]?.text === 'in' && tokens[at + 3]?.text.startsWith(tokens[at]?.text ?? '?'))
    return at + 4;
  if (first === 'for' && tokens[at + 2]?.text.startsWith(tokens[at]?.text ?? '?') === true) return at + 3;
  return at + 1;
}

/** Goes over what may stand between two pieces of a code: signs, and the sounds that people make while they read. */
function skipJoints(tokens: readonly Token[], at: number): number {
  let next = at;
  let hesitates = false;
  while (next - at < JOINTS_AT_MOST && (JOINTS.has(tokens[next]?.text ?? '') || SOUNDS.has(tokens[next]?.text ?? ''))) {
    hesitates ||= SOUNDS.has(tokens[next]?.text ?? '');
    next += 1;
  }
  if (next === at || readAtom(tokens, next) === null) return at;
  const stops = tokens.slice(at, next).some((token) => token.text === ',' || token.text === '.');
  // A comma ends what is written in one; what is read out piece by piece goes on behind it.
  return !stops || hesitates || (isPiece(tokens[at - 1]) && isPiece(tokens[next])) ? next : at;
}

function isPiece(token: Token | undefined): boolean {
  return token !== undefined && (token.text.length === 1 || token.kind === 'word');
}
