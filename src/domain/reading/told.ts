import { cutWords } from '../text.ts';
import { timesOfHour } from '../values/bare-times.ts';
import { compare } from '../values/same-value.ts';
import { readActValues } from '../values/turn-values.ts';
import type { ActValue } from '../values/value.ts';
import { wordsOf } from '../values/words-of.ts';
import { lookUp, lookUpIn } from '../words/lexicon.ts';
import { STOP } from '../words/word-bits.ts';

/** What a text tells that another text may tell as well, or otherwise. */
export interface Told {
  /** Figures, dates, times, amounts, codes, addresses and spelled words, whatever way they are said; none that is denied. */
  values: readonly ActValue[];
  /** Words that carry matter and are no part of a value, in lower case. */
  words: ReadonlySet<string>;
  /** Those among them that are written as names are. */
  names: ReadonlySet<string>;
}

/** @param language BCP 47 primary tag; in a language without lists figures are read, and every word carries matter. */
export function toldIn(text: string, language: string | null): Told {
  const plain = text.replaceAll(FIELD, ' ');
  const cut = cutWords(plain);
  const known = language === null ? null : wordsOf(language);
  const english = lookUp(cut.words);
  const bits = language === null || known === null ? english : lookUpIn(language, cut.words, english);
  const lists = known ?? wordsOf('en');
  const values = lists === null ? [] : readActValues(plain, cut, bits, lists).filter(({ denied }) => !denied);
  const hasNames = !NOUNS_IN_CAPITALS.has(language ?? '');
  const words = new Set<string>();
  const names = new Set<string>();
  for (const [at, word] of cut.words.entries()) {
    const start = cut.starts[at] ?? 0;
    if (((bits[at] ?? 0) & STOP) !== 0 || values.some(({ from, to }) => start >= from && start < to)) continue;
    words.add(word);
    if (hasNames && /^\p{Lu}/u.test(plain.slice(start, start + 2)) && !beginsSentence(plain, start)) names.add(word);
  }
  for (const { kind, forms } of values) if (kind === 'spelling') words.add((forms[0] ?? '').toLowerCase());
  return { values, words, names };
}

/** The name of a field of arguments or of a result, which tells nothing of its value. */
const FIELD = /(?<![\w.-])[\w.-]{1,80}"\s{0,4}:/g;

/** Languages in which a capital does not tell a name from a thing. */
const NOUNS_IN_CAPITALS: ReadonlySet<string> = new Set(['de', 'lb']);

/** There a capital means nothing; "Mr." ends no sentence. */
function beginsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 8), at);
  if (/(?<!\p{L})\p{Lu}\p{L}?\.\s$/u.test(before)) return false;
  return /[.!?:][^\p{L}\p{N}]{0,8}$/u.test(before) || !/[\p{L}\p{N}]/u.test(before);
}

/** Whether a value stands in a text, also as a bare figure where the text does not say of what. */
export function tells({ values, words }: Told, value: ActValue): boolean {
  if (value.kind === 'spelling' && words.has((value.forms[0] ?? '').toLowerCase())) return true;
  return values.some((one) => areOne(one, value));
}

/** The same, or an amount of which only the cents differ, as people leave them out. */
export function tellsAbout(told: Told, value: ActValue): boolean {
  const isNear = (one: ActValue) => Math.abs(Number(one.forms[0]) - Number(value.forms[0])) < 1;
  return tells(told, value) || (isFigure(value) && told.values.some((one) => isFigure(one) && isNear(one)));
}

function areOne(a: ActValue, b: ActValue): boolean {
  if (compare(a, b) === 'same') return true;
  const isBare = BARE.has(a.slot) || BARE.has(b.slot);
  if (isBare && isFigure(a) && isFigure(b)) return a.forms.some((form) => b.forms.includes(form));
  return isHour(a, b) || isHour(b, a);
}

const BARE: ReadonlySet<string> = new Set(['count', 'money']);
export const isFigure = ({ kind }: ActValue) => kind === 'money' || kind === 'number';

/** "At four", and a time that is four o'clock. */
function isHour(count: ActValue, time: ActValue): boolean {
  if (count.slot !== 'count' || time.slot !== 'time') return false;
  return timesOfHour(Number(count.forms[0]))?.some((form) => time.forms.includes(form)) ?? false;
}

/** True where both tell values, each has those of the other, and the first has no word that the other lacks. */
export function tellSame(a: Told, b: Told): boolean {
  if (a.values.length === 0 || b.values.length === 0) return false;
  const areAll = a.values.every((one) => tells(b, one)) && b.values.every((one) => tells(a, one));
  return areAll && [...a.words].every((word) => b.words.has(word));
}

/** True where one tells another value of a kind than the other does. */
export function tellOtherValues(a: Told, b: Told): boolean {
  return a.values.some((one) => !tells(b, one) && b.values.some((other) => compare(one, other) === 'other'));
}

/** True where a text tells anything that can be held against another. */
export const tellsAnything = ({ values, words }: Told): boolean => values.length + words.size > 0;

/** The beginnings of the words that carry matter: "promise" and "promised" begin alike. */
export const stemsOf = (text: string): string[] => mattersOf(text).map(stemOf);

/** The words that carry matter, names of fields among them. */
export function mattersOf(text: string): string[] {
  const { words } = cutWords(text);
  const bits = lookUp(words);
  return words.filter((_, at) => ((bits[at] ?? 0) & STOP) === 0);
}

export const stemOf = (word: string): string => word.slice(0, STEM);
const STEM = 5;
