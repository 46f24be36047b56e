import { cutText } from '../calls/text.ts';
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

function findItems(text: string, phrase: string): { from: number; to: number } | null {
  const wanted = itemsOf(phrase);
  const found = findRow(itemsOf(text), wanted, (a, b) => canMeanSame(a, b, text, phrase));
  if (found !== null || wanted.some(({ value }) => value !== null)) return found;
  // Among numbers a plain word may have been read as a part of a value; as a word it still counts.
  return findRow(wordsOf(text), wanted, (a, b) => a.word === b.word);
}

function findRow(
  items: readonly SpokenItem[],
  wanted: readonly SpokenItem[],
  isSame: (item: SpokenItem, wanted: SpokenItem) => boolean,
): { from: number; to: number } | null {
  if (wanted.length === 0) return null;
  for (let at = 0; at + wanted.length <= items.length; at += 1) {
    const first = items[at];
    const last = items[at + wanted.length - 1];
    if (first === undefined || last === undefined) return null;
    const matches = wanted.every((one, offset) => {
      const item = items[at + offset];
      return item !== undefined && isSame(item, one);
    });
    if (matches) return { from: first.from, to: last.to };
  }
  return null;
}
