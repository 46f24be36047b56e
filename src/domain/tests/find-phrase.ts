import { cutText } from '../text.ts';
import { canMeanSame, itemsOf, type SpokenItem, wordsOf } from './spoken-items.ts';

const QUOTE_AT_MOST = 240;

/** Whether a text has anything that could be looked for: a word, a number, a value. */
export function hasWords(phrase: string): boolean {
  return wordsOf(phrase).length > 0;
}

/**
 * The part of the text that says the phrase, exactly as it stands there, or null. Compared as words in a row: case,
 * accents, apostrophes and punctuation make no difference, nor whether a number, a time, a date, an amount or a code is
 * written or spelled out. Words count whole: "cancel" is not in "cancelled".
 */
export function findPhrase(text: string, phrase: string): string | null {
  const composed = text.normalize('NFC');
  const found = findItems(composed, phrase.normalize('NFC'));
  if (found === null) return null;
  // The place was found in another spelling of the text, so the turn itself is the exact quote.
  if (composed !== text) return cutText(text, QUOTE_AT_MOST);
  return cutText(text, Math.min(QUOTE_AT_MOST, found.to - found.from), found.from);
}

function findItems(text: string, phrase: string): Place | null {
  const items = itemsOf(text);
  const wanted = itemsOf(phrase);
  const found = findRow(items, wanted, (a, b) => canMeanSame(a, b, text, phrase)).next().value;
  if (found) return found;
  const hasValues = wanted.some(({ value }) => value !== null);
  const values = items.filter(({ value }) => value !== null);
  // Values of neighbouring sentences may have been read as one; word for word the phrase may still be there.
  for (const place of findRow(wordsOf(text), wordsOf(phrase), (a, b) => a.word === b.word)) {
    if (!hasValues || !cutsValue(text, values, place)) return place;
  }
  return null;
}

/** Whether a part of a text begins or ends within a value of one sentence: "at nine" in "at nine thirty". */
function cutsValue(text: string, values: readonly SpokenItem[], { from, to }: Place): boolean {
  return values.some((value) => {
    const before = value.from < from && from < value.to ? text.slice(value.from, from) : null;
    const after = value.from < to && to < value.to ? text.slice(to, value.to) : null;
    return [before, after].some((part) => part !== null && !SENTENCE_END.test(part));
  });
}

const SENTENCE_END = /[.!?;][\s"'\u201d\u2019)]*\s|\n/;

interface Place {
  from: number;
  to: number;
}

function* findRow(
  items: readonly SpokenItem[],
  wanted: readonly SpokenItem[],
  isSame: (item: SpokenItem, wanted: SpokenItem) => boolean,
): Generator<Place, null> {
  for (let at = 0; at + wanted.length <= items.length; at += 1) {
    const first = items[at];
    const last = items[at + wanted.length - 1];
    if (first === undefined || last === undefined) return null;
    const matches = wanted.every((one, offset) => {
      const item = items[at + offset];
      return item !== undefined && isSame(item, one);
    });
    if (matches) yield { from: first.from, to: last.to };
  }
  return null;
}
