import type { PhraseMatcher } from './phrase-list.ts';
import type { PhraseHit } from './phrase-shape.ts';

/** How a language writes its words. */
export interface Writing {
  /** The pieces in which a word is compared, alike for lists and talk. */
  fold: (word: string) => readonly string[];
  /** Words over which no gap reaches. */
  barriers: readonly string[];
}

/** One part of a phrase: rows of words by their first word, or up to `gap` words of any kind. */
interface Part {
  rows: ReadonlyMap<string, readonly (readonly string[])[]>;
  optional: boolean;
  gap: number;
}

interface Phrase {
  list: string;
  parts: readonly Part[];
}

/**
 * Compiles lists for a language whose words are compared in pieces. Free word order needs many parts that may be missing, of
 * which a tree would grow beyond measure; so phrases are kept by the words that can begin them, and each is followed part by
 * part. Compiled at the first look, so it costs nothing until a call in the language is read.
 */
export function compileFolded(lists: Record<string, readonly string[]>, writing: Writing): PhraseMatcher {
  const { fold } = writing;
  const barriers = new Set(writing.barriers.flatMap(fold).filter((word) => word !== ''));
  let byFirst: ReadonlyMap<string, readonly Phrase[]> | null = null;
  return (words) => {
    byFirst ??= byFirstWord(lists, fold);
    const { pieces, places } = inPieces(words, fold);
    const hits: PhraseHit[] = [];
    for (let from = 0; from < pieces.length; from += 1) {
      const first = hits.length;
      for (const { list, parts } of byFirst.get(pieces[from] ?? '') ?? []) {
        const to = reach(parts, 0, pieces, from, barriers);
        if (
          to > from &&
          !(isClaim(list) && pieces.slice(Math.max(0, from - DENIED_WITHIN), from).some((one) => barriers.has(one)))
        )
          keepLongest(hits, first, { list, from, to });
      }
    }
    return hits.map(({ list, from, to }) => ({ list, from: places[from] ?? 0, to: (places[to - 1] ?? 0) + 1 }));
  };
}

/** Small words at most stand between the denial and the verb. */
const DENIED_WITHIN = 3;

/** "No le he reservado": what is denied is not claimed to be done. */
function isClaim(list: string): boolean {
  return list === 'done' || list.startsWith('claim:');
}

function inPieces(words: readonly string[], fold: Writing['fold']): { pieces: string[]; places: number[] } {
  const pieces: string[] = [];
  const places: number[] = [];
  for (const [place, word] of words.entries()) {
    for (const piece of fold(word)) {
      pieces.push(piece);
      places.push(place);
    }
  }
  return { pieces, places };
}

/** The end of the longest row of words that fits the parts from `place` on, or -1. */
function reach(
  parts: readonly Part[],
  place: number,
  words: readonly string[],
  at: number,
  barriers: ReadonlySet<string>,
): number {
  const part = parts[place];
  if (part === undefined) return at;
  let best = part.optional ? reach(parts, place + 1, words, at, barriers) : -1;
  for (let skipped = 0; skipped < part.gap && at + skipped < words.length; skipped += 1) {
    if (barriers.has(words[at + skipped] ?? '')) break;
    best = Math.max(best, reach(parts, place + 1, words, at + skipped + 1, barriers));
  }
  for (const rest of part.rows.get(words[at] ?? '') ?? []) {
    if (rest.every((word, more) => words[at + 1 + more] === word))
      best = Math.max(best, reach(parts, place + 1, words, at + 1 + rest.length, barriers));
  }
  return best;
}

function keepLongest(hits: PhraseHit[], first: number, hit: PhraseHit): void {
  const known = hits.slice(first).find((one) => one.list === hit.list);
  if (known === undefined) hits.push(hit);
  else known.to = Math.max(known.to, hit.to);
}

function byFirstWord(lists: Record<string, readonly string[]>, fold: Writing['fold']): ReadonlyMap<string, Phrase[]> {
  const made = new Map<string, Phrase[]>();
  for (const [list, phrases] of Object.entries(lists)) {
    for (const text of phrases) {
      const phrase = { list, parts: text.split(' ').map((part) => readPart(part, fold)) };
      for (const word of beginnings(phrase)) {
        const row = made.get(word);
        if (row === undefined) made.set(word, [phrase]);
        else row.push(phrase);
      }
    }
  }
  return made;
}

function readPart(part: string, fold: Writing['fold']): Part {
  if (part.startsWith('~')) return { rows: new Map(), optional: true, gap: Number(part.slice(1)) };
  const optional = part.startsWith('[') && part.endsWith(']');
  const rows = new Map<string, string[][]>();
  for (const one of (optional ? part.slice(1, -1) : part).split('/')) {
    const [first = '', ...rest] = one
      .split(/[+-]/)
      .flatMap(fold)
      .filter((word) => word !== '');
    const known = rows.get(first);
    if (known === undefined) rows.set(first, [rest]);
    else known.push(rest);
  }
  return { rows, optional, gap: 0 };
}

/** The words by which a phrase can begin: those of its first part, and of the next ones where that may be left out. */
function beginnings(phrase: Phrase): ReadonlySet<string> {
  const words = new Set<string>();
  for (const part of phrase.parts) {
    for (const word of part.rows.keys()) words.add(word);
    if (!part.optional) break;
  }
  return words;
}
