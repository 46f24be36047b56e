import { cutText } from '../text.ts';

// Control characters, halves of surrogate pairs, marks that turn or hide text: none of them belongs in a test.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const STACKED = /(\p{M}{8})\p{M}+/gu;

/** A text of a call as a test can hold it: one line without hidden characters, cut at `limit`. Empty where nothing is left. */
export function cleanText(text: string, limit: number): string {
  const plain = text.replaceAll(HIDDEN, ' ').replaceAll(STACKED, '$1').replaceAll(/\s+/g, ' ').trim();
  return cutText(plain, limit).trim();
}

export const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** A text as its words alone, for `hasWords`: made once where many texts are looked for in it. */
export function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Whether a line says these words, in a row and whole; both as `wordsOf` gives them. */
export const hasWords = (line: string, words: string) => words.trim() !== '' && line.includes(words);
