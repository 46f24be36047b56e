import { cutWords, hasDigit, type Words } from '../text.ts';
import { lookUp, mark } from '../words/lexicon.ts';
import { phraseAtToken } from '../words/phrase-table.ts';
import { BEGINS_VALUE, VALUE, VALUE_WORD } from '../words/word-bits.ts';
import { bareTime } from './bare-times.ts';
import { BEGINNINGS, mayBegin } from './beginnings.ts';
import { readDayOfMonth } from './days-of-month.ts';
import { readEmail } from './emails.ts';
import { joinParts } from './join-values.ts';
import { readValueAt } from './read-values.ts';
import { readSpelling } from './spellings.ts';
import type { Token } from './tokens.ts';
import { tokensOf } from './turn-tokens.ts';
import type { ActValue, ActValueKind, SpokenValue } from './value.ts';
import { type CompiledWords, wordsOf as compiledWords } from './words-of.ts';

for (const word of BEGINNINGS) mark(word, BEGINS_VALUE);

/** Longer turns are read up to here; nobody says more values than that in one turn. */
const WORDS_READ = 400;

/** Most turns hold no value and cost no more than a look at their words. */
function mayHoldValue(words: Words, bits: readonly number[]): boolean {
  for (let at = 0; at < words.words.length; at += 1) {
    const word = words.words[at] ?? '';
    if (((bits[at] ?? 0) & (VALUE | VALUE_WORD)) !== 0 || (word.length === 1 && word !== 'i' && word !== 'a'))
      return true;
    if (hasDigit(word)) return true;
  }
  return false;
}

/** The values of a turn in order, none inside another. */
export function readActValues(
  text: string,
  words: Words,
  bits: readonly number[],
  lists: CompiledWords,
): readonly ActValue[] {
  if (lists.grammar === null && !mayHoldValue(words, bits) && !text.includes('@')) return NONE;
  const { tokens, starts } = tokensOf(text, words, bits, lists, WORDS_READ);
  const values: ActValue[] = [];
  const addressed = tokens.some((token) => token.text === 'dot' || token.text === '@');
  let next = 0;
  // An address begins with any word.
  for (const at of addressed ? tokens.keys() : starts) {
    if (at < next) continue;
    const found = readAt(text, tokens, at, lists, addressed);
    if (found === null) continue;
    values.push({ ...found.value, denied: isDenied(tokens, at, lists) });
    next = found.next;
  }
  return joinParts(text, values, lists.between);
}

const NONE: readonly ActValue[] = [];

interface Found {
  next: number;
  value: ActValue;
}

function readAt(
  text: string,
  tokens: readonly Token[],
  at: number,
  lists: CompiledWords,
  addressed: boolean,
): Found | null {
  const choice = phraseAtToken(lists.choices, tokens, at);
  if (choice !== null) return made(text, tokens, at, choice.next, 'choice', choice.value.slot, [choice.value.form]);
  const email = addressed ? readEmail(tokens, at) : null;
  if (email !== null) return made(text, tokens, at, email.next, 'email', 'email', [email.form]);
  if (!mayBegin(tokens, at)) return null;
  const day = readDayOfMonth(tokens, at, lists);
  if (day !== null) return made(text, tokens, at, day.next, 'date', 'date', [`day-${day.day}`]);
  const found = readValueAt(tokens, at);
  if (found !== null) {
    const minutes = lists.grammar === null ? bareTime(tokens, at, found.next) : null;
    if (minutes !== null) return made(text, tokens, at, found.next, 'time', 'time', minutes);
    const counted = withUnit(text, tokens, at, found, lists);
    const alone = found.next === at + 1 && counted.value.slot === 'count' && isNoNumberAlone(tokens, at, lists);
    return alone && !isAmongFigures(tokens, at) ? null : counted;
  }
  const spelling = readSpelling(tokens, at);
  return spelling === null ? null : made(text, tokens, at, spelling.next, 'spelling', 'spelling', [spelling.letters]);
}

/** "The large one", "oh, and then"; "no, one." and "one to eight" are numbers. */
function isNoNumberAlone(tokens: readonly Token[], at: number, lists: CompiledWords): boolean {
  const word = tokens[at]?.text ?? '';
  if (!lists.numberBetweenSigns.has(word)) return lists.notAlone.has(word);
  const [before, behind] = [tokens[at - 1], tokens[at + 1]];
  if (behind?.text === 'to' && isNumberAt(tokens, at + 2)) return false;
  return !isSign(before) || !(isSign(behind) || behind === undefined);
}

function isSign(token: Token | undefined): boolean {
  return token?.kind === 'sign';
}

/** "Nine, one, oh": read out figure by figure with signs between. */
function isAmongFigures(tokens: readonly Token[], at: number): boolean {
  const isJoint = (place: number) => isSign(tokens[place]) && tokens[place]?.text !== '?';
  if (isJoint(at + 1) && isNumberAt(tokens, at + 2)) return true;
  // Behind a stop a sentence begins: "Nine. Oh, hold on."
  return isJoint(at - 1) && tokens[at - 1]?.text !== '.' && isNumberAt(tokens, at - 2);
}

function isNumberAt(tokens: readonly Token[], at: number): boolean {
  return readValueAt(tokens, at)?.value.kind === 'number';
}

const CODE_DIGITS = 4;

/** What a number counts decides which numbers it can be compared with: "two nights" and "two guests" are two slots. */
function withUnit(
  text: string,
  tokens: readonly Token[],
  at: number,
  found: { next: number; value: SpokenValue },
  lists: CompiledWords,
): Found {
  const { kind, from, to, forms } = found.value;
  const base = { kind, from, to, text: text.slice(from, to), forms, denied: false };
  if (kind !== 'number') return { next: found.next, value: { ...base, slot: kind } };
  const digits = (forms.at(-1) ?? '').length;
  // Read out figure by figure, three are the end of a longer number.
  if (digits >= CODE_DIGITS || (digits === CODE_DIGITS - 1 && found.next - at === digits))
    return { next: found.next, value: { ...base, slot: 'code' } };
  for (let next = found.next; next <= found.next + 2 && next < tokens.length; next += 1) {
    if (tokens[next]?.kind === 'sign') break;
    const unit = phraseAtToken(lists.units, tokens, next);
    if (unit !== null) return { next: found.next, value: { ...base, slot: `count:${unit.value}` } };
  }
  return { next: found.next, value: { ...base, slot: 'count' } };
}

/** "Not the large one", "instead of Thursday": a denial stands before the value, with small words between at most. */
function isDenied(tokens: readonly Token[], at: number, lists: CompiledWords): boolean {
  let before = at - 1;
  while (before >= 0 && at - before <= 3 && lists.between.has(tokens[before]?.text ?? '')) before -= 1;
  for (let start = before; start >= Math.max(0, before - 1); start -= 1) {
    const found = phraseAtToken(lists.denials, tokens, start);
    if (found !== null && found.next > before && found.next <= at) return true;
  }
  return false;
}

function made(
  text: string,
  tokens: readonly Token[],
  at: number,
  next: number,
  kind: ActValueKind,
  slot: string,
  forms: readonly string[],
): Found {
  const from = tokens[at]?.from ?? 0;
  const to = tokens[next - 1]?.to ?? from;
  return { next, value: { kind, slot, from, to, text: text.slice(from, to), forms, denied: false } };
}

/** The values of a written text that is no turn, such as an argument of a tool. */
export function valuesOfText(text: string, language: string): readonly ActValue[] {
  const lists = compiledWords(language);
  if (lists === null) return NONE;
  const words = cutWords(text);
  return readActValues(text, words, lookUp(words.words), lists);
}
