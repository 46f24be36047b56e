import { readNumber } from '../values/numbers.ts';
import { readValues } from '../values/read-values.ts';
import { cutTokens } from '../values/tokens.ts';
import { type SpokenValue, sameValue } from '../values/value.ts';

/** A word, or a value of several words, with its place in the text. Signs are left out. */
export type SpokenItem = { from: number; to: number } & (
  | { word: string; value: null }
  | { word: null; value: SpokenValue }
);

/** A text as words and values, so that "half past nine" and "9:30" are one item each. */
export function itemsOf(text: string): SpokenItem[] {
  const items: SpokenItem[] = [];
  const values = readValues(text).map((value) => ({ ...value, forms: exactForms(value) }));
  let next = 0;
  for (const word of wordsOf(text)) {
    while (next < values.length && (values[next]?.to ?? 0) <= word.from) next += 1;
    const value = values[next];
    if (value === undefined || word.from < value.from) items.push(word);
    else if (items.at(-1)?.value !== value) items.push({ from: value.from, to: value.to, word: null, value });
  }
  return items;
}

/** The words alone: without case, accents, apostrophes and signs. */
export function wordsOf(text: string): SpokenItem[] {
  return cutTokens(text).flatMap(({ kind, from, to, text: token }) => {
    if (kind === 'sign') return [];
    if (!UNSPACED.test(token)) return [{ from, to, word: bare(token), value: null }];
    return signsOf(token, from);
  });
}

/** Scripts that set no spaces between words: there each sign counts as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function signsOf(token: string, from: number): SpokenItem[] {
  let at = from;
  return [...token].map((sign) => {
    const item = { from: at, to: at + sign.length, word: bare(sign), value: null };
    at = item.to;
    return item;
  });
}

export function bare(word: string): string {
  return word
    .normalize('NFD')
    .replaceAll(/[\p{M}'\u2019]/gu, '')
    .toLowerCase();
}

/** The digits in a row of a number with decimals are another number: 1.5 is not 15. */
function exactForms({ kind, forms }: SpokenValue): readonly string[] {
  const [first] = forms;
  return kind === 'number' && first?.includes('.') ? [first] : forms;
}

/** Said by a person both may mean the same: "nine" o'clock is "9:00 am" too, as nobody says which half of the day. */
export function canMeanSame(a: SpokenItem, b: SpokenItem, textA: string, textB: string): boolean {
  if (a.value === null || b.value === null) return a.word !== null && a.word === b.word;
  if (sameValue(a.value, b.value)) return true;
  if (a.value.kind === 'time') return sameValue(a.value, clockOf(b, textB));
  return b.value.kind === 'time' && sameValue(b.value, clockOf(a, textA));
}

/** "Nine" and "nine thirty" as times of day; a number that was said as a whole ("nine hundred thirty") is none. */
function clockOf(item: SpokenItem, text: string): Pick<SpokenValue, 'kind' | 'forms'> {
  const read = item.value?.kind === 'number' ? readNumber(cutTokens(text.slice(item.from, item.to)), 0) : null;
  if (read === null || !Number.isInteger(read.value)) return { kind: 'time', forms: [] };
  const { digits, groups } = read;
  const split = groups.length === 1 ? digits.length : digits.length - 2;
  const [hour, minute] = [Number(digits.slice(0, split)), Number(digits.slice(split) || 0)];
  if (split < 1 || split > 2 || hour > 24 || minute > 59) return { kind: 'time', forms: [] };
  const halves = hour > 0 && hour <= 12 ? [hour % 12, (hour % 12) + 12] : [hour % 24];
  return { kind: 'time', forms: halves.map((one) => String(one * 60 + minute).padStart(4, '0')) };
}
