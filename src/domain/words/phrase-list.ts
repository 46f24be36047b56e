import { mark } from './lexicon.ts';
import { PhraseAutomaton, type PhraseParts } from './phrase-automaton.ts';
import type { PhraseHit } from './phrase-shape.ts';
import { STARTS_PHRASE } from './word-bits.ts';

/**
 * Finds the phrases in a row of words. With `bits` (`lookUp`) only words that the lexicon marks as beginnings are
 * looked at, which spares a look-up for most words.
 */
export type PhraseMatcher = (words: readonly string[], bits?: readonly number[]) => PhraseHit[];

/**
 * Compiles lists so that looking for hundreds of phrases costs one look-up a word. What takes time and memory is made at the
 * first look: a process that reads no calls goes without. Which words begin a phrase is marked at once, because rows are
 * looked up before they are matched.
 */
export function compilePhrases(lists: Record<string, readonly string[]>): PhraseMatcher {
  for (const phrase of Object.values(lists).flat()) for (const word of beginnings(phrase)) mark(word, STARTS_PHRASE);
  let grown: PhraseAutomaton | null = null;
  return (words, bits) => {
    grown ??= new PhraseAutomaton(partsOf(lists));
    const hits: PhraseHit[] = [];
    for (let from = 0; from < words.length; from += 1) {
      if (bits !== undefined && ((bits[from] ?? 0) & STARTS_PHRASE) === 0) continue;
      grown.follow(words, from, hits);
    }
    return hits;
  };
}

function* partsOf(lists: Record<string, readonly string[]>): Generator<[list: string, parts: PhraseParts]> {
  for (const [list, phrases] of Object.entries(lists))
    for (const phrase of phrases) yield [list, phrase.split(' ').map(alternatives)];
}

/** The words by which a phrase can begin: those of its first part, and of the next one where that may be left out. */
function beginnings(phrase: string): string[] {
  const words: string[] = [];
  for (const part of phrase.split(' ')) {
    const rows = alternatives(part);
    words.push(...rows.flatMap(([first]) => (first === undefined || first.startsWith('~') ? [] : [first])));
    if (!rows.some((row) => row.length === 0)) break;
  }
  return words;
}

/** The rows of words for which one part of a phrase stands; an empty row where the part may be left out. */
function alternatives(part: string): (readonly string[])[] {
  const optional = part.startsWith('[') && part.endsWith(']');
  const rows = (optional ? part.slice(1, -1) : part).split('/').flatMap((one) => spellings(one.split('+')));
  return optional ? [...rows, []] : rows;
}

const LONG_FORMS: readonly [ending: string, word: string][] = [
  ["'m", 'am'],
  ["'re", 'are'],
  ["'ve", 'have'],
  ["'ll", 'will'],
];

/** Short forms that stay one word of their own without the apostrophe; "id", "ill" and "were" would be other words. */
const WITHOUT_APOSTROPHE = new Set(["i'm", "i've", "that's", "it's", "what's", "there's", "you've", "you're", "let's"]);

function spellings(words: readonly string[]): string[][] {
  let rows: string[][] = [[]];
  for (const word of words) {
    const forms = spell(word);
    rows = rows.flatMap((row) => forms.map((form) => [...row, ...form]));
  }
  return rows;
}

function spell(word: string): string[][] {
  if (!word.includes("'")) return [[word]];
  const forms = [[word]];
  if (word.endsWith("n't") || WITHOUT_APOSTROPHE.has(word)) forms.push([word.replace("'", '')]);
  for (const [ending, long] of LONG_FORMS) if (word.endsWith(ending)) forms.push([word.slice(0, -ending.length), long]);
  if (word === "that's" || word === "it's" || word === "what's" || word === "there's")
    forms.push([word.slice(0, -2), 'is']);
  const negated = NEGATED[word];
  if (negated !== undefined) forms.push(negated);
  return forms;
}

const NEGATED: Record<string, string[]> = {
  "don't": ['do', 'not'],
  "doesn't": ['does', 'not'],
  "didn't": ['did', 'not'],
  "isn't": ['is', 'not'],
  "aren't": ['are', 'not'],
  "wasn't": ['was', 'not'],
  "weren't": ['were', 'not'],
  "hasn't": ['has', 'not'],
  "haven't": ['have', 'not'],
  "couldn't": ['could', 'not'],
  "can't": ['cannot'],
  "won't": ['will', 'not'],
};
