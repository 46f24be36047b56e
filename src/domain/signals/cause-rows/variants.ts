import { cutWords } from '../../text.ts';
import { DATE_WORDS, LEADS_ON, NUMBER_WORDS } from '../../words/en/words.ts';
import type { CauseTarget } from '../catalogue-entry.ts';
import { PROMPT } from '../places.ts';

/** Variants of causes: what a tool said, which tool or step it was, which line of the prompt. They stand in codes for good. */

const WORDS_AT_MOST = 16;
const DIGIT = /\p{N}/u;
/** Days, months and numbers in words belong to one call. */
const VALUES: ReadonlySet<string> = new Set([...DATE_WORDS, ...NUMBER_WORDS]);
/** Left at the end where the value after it was taken out. */
const HAS_VOWEL = /[aeiouyäöüáéíóúàèêâî]/;

/**
 * A text in the form in which the same text about another call is equal: words alone, without numbers, days, ids and the
 * quoted values of one call.
 */
export function normalised(text: string): string[] {
  const plain = text
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/\{\{[^{}]*\}\}|"[^"]{1,80}"|“[^”]{1,80}”|`[^`]{1,80}`|(?<=\s|\(|^)'[^']{1,80}'/g, ' ')
    .replaceAll(/(?<!\S)\S+@\S+/g, ' ')
    .replaceAll(/(?<!\S)\S*\p{N}\S*/gu, ' ');
  const { words } = cutWords(plain);
  const kept = words.filter(
    (word) => !DIGIT.test(word) && !VALUES.has(word) && (word.length < 4 || HAS_VOWEL.test(word)),
  );
  while (LEADS_ON.has(kept.at(-1) ?? '')) kept.pop();
  return kept;
}

export function slugOf(words: readonly string[]): string {
  return words.slice(0, WORDS_AT_MOST).join('_');
}

/** The words of a slug as a sentence that begins with a capital. */
export function wordsOf(slug: string): string {
  const words = slug.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const theTool = (id: string): CauseTarget => ({ kind: 'tool', id, label: null });
export const theStep = (id: string): CauseTarget => ({ kind: 'node', id, label: null });

/** A line of the prompt goes by its words, which stay when lines before it come and go. */
export const theLine = (slug: string): CauseTarget =>
  slug === '' ? PROMPT : { kind: 'prompt', id: `line:${slug}`, label: `the prompt: “${wordsOf(slug)} …”` };

export const lineSlug = (line: string): string => slugOf(normalised(line).slice(0, LINE_WORDS));
const LINE_WORDS = 8;
