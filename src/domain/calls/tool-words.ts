import { plainLetters } from '../words/folding.ts';
import { TOOL_THINGS, TOOL_VERBS } from '../words/tools/names.ts';

function invert(rows: Record<string, string>): [word: string, english: string][] {
  return Object.entries(rows).flatMap(([english, words]) =>
    words.split(' ').map((word): [string, string] => [word, english]),
  );
}

const ENGLISH_VERB = new Map(invert(TOOL_VERBS));
const ENGLISH_THING = new Map(invert(TOOL_THINGS));

/** The words of a tool's name, with what they are in English before them. */
export function splitName(name: string): readonly string[] {
  return withEnglish(plainWords(name));
}

/**
 * The words of a tool's name with what they are in English before them, verbs first: `termin_buchen` is also book and
 * appointment. English names stay as they are.
 */
function withEnglish(words: readonly string[]): readonly string[] {
  const verbs = words.flatMap((word) => ENGLISH_VERB.get(word) ?? []);
  const things = words.flatMap((word) => ENGLISH_THING.get(word) ?? []);
  return verbs.length + things.length === 0 ? words : [...verbs, ...things, ...words];
}

/** `bookTable`, `book_table` and `book-table` are the words book and table. */
export function plainWords(name: string): string[] {
  return plainLetters(name.slice(0, NAME_AT_MOST))
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

const NAME_AT_MOST = 200;
