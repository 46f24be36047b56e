import type { NormalisedCall } from '../calls/call.ts';
import { isJsonObject, type Json } from '../json.ts';
import { TITLES } from './collect.ts';
import { WORDS_TOO } from './given-names.ts';
import { foldWord } from './number-words.ts';
import { ORDINARY } from './ordinary-words.ts';
import { wordsIn } from './people.ts';

/** A word of a name. */
export interface LeftOutWord {
  to: string;
  /** A word too, such as Hope or May: meant only where it stands as a name. */
  isLoose: boolean;
  /** It is written as a name wherever it has a capital, also at the beginning of a sentence. */
  isCapital?: boolean;
}

/** A name of a person as it stands in a turn, by whoever read the call. */
export interface ToldName {
  turn: number;
  quote: string;
}

/** Names of one call. */
export interface ToldNames {
  /** By words without accents in lower case. */
  words: ReadonlyMap<string, LeftOutWord>;
  /** Names in scripts that put no space between words. */
  unspaced: readonly string[];
  /** By a text of a turn or its tool: words in lower case that are names there and words elsewhere. */
  exact: ReadonlyMap<string, readonly string[]>;
}

const NAMES_AT_MOST = 200;
const CHARS_AT_MOST = 80;
const WORDS_AT_MOST = 6;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_AT_LEAST = 2;
const PARTICLES = new Set('van von de der den del della di da dos du la le bin al el ter zu y and und et e'.split(' '));

/** What of the names that a reader told stands on the record. */
export function readToldNames(call: NormalisedCall, told: readonly ToldName[]): ToldNames {
  const words = new Map<string, LeftOutWord>();
  const unspaced = new Set<string>();
  const exact = new Map<string, string[]>();
  const said = textsIn(call.turns as unknown as Json).map((text) => text.toLowerCase());
  for (const { turn, quote: given } of told.slice(0, NAMES_AT_MOST)) {
    const quote = given.trim();
    // What stands in brackets is left out already.
    const isWritten = quote !== '' && quote.length <= CHARS_AT_MOST && !quote.includes('[');
    if (!isWritten || !said.some((text) => text.includes(quote.toLowerCase()))) continue;
    if (UNSPACED.test(quote)) {
      if ([...quote].length >= UNSPACED_AT_LEAST) unspaced.add(quote);
      continue;
    }
    const parts = wordsIn(quote);
    if (parts.length > WORDS_AT_MOST) continue;
    // "O'Connor" is "connor" where it has no capitals.
    for (const { text: word } of parts) for (const part of [word, ...word.split(/['’]/u)]) keepWord(words, part);
    const isWords = parts.every(({ text: word }) => words.get(foldWord(word))?.isCapital !== true);
    if (!isWords) continue;
    for (const text of textsIn((call.turns.find(({ index }) => index === turn) ?? null) as unknown as Json))
      if (text.includes(quote)) exact.set(text, [...(exact.get(text) ?? []), quote]);
  }
  return { words, unspaced: [...unspaced], exact };
}

function keepWord(words: Map<string, LeftOutWord>, word: string): void {
  const folded = foldWord(word);
  if (folded.length < 2 || TITLES.has(folded) || PARTICLES.has(folded)) return;
  const isLoose = folded.length < 3 || WORDS_TOO.has(folded) || ORDINARY.has(folded);
  const isCapital = /^\p{Lu}/u.test(word) || words.get(folded)?.isCapital === true;
  words.set(folded, { to: '', isLoose, ...(isCapital && { isCapital }) });
}

/** Where names stand that no word alone tells. */
export function toldIn(text: string, { unspaced, exact }: ToldNames): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const name of unspaced) for (const from of placesOf(text, name)) found.push({ from, to: from + name.length });
  for (const [whole, names] of exact)
    for (const start of placesOf(text, whole))
      for (const name of names)
        for (const at of placesOf(whole, name))
          if (isWord(whole, at, name.length)) found.push({ from: start + at, to: start + at + name.length });
  return found;
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

const isWord = (text: string, at: number, length: number) =>
  !/[\p{L}\p{M}]$/u.test(text.slice(Math.max(0, at - 2), at)) && !/^[\p{L}\p{M}]/u.test(text.slice(at + length));

type Hash = (form: string) => string;

interface Phrase {
  /** Of the words before the name, its own, and those behind it, so many. */
  shape: readonly [before: number, own: number, after: number];
  form: string;
}

const WORDS_AROUND = 2;

/** The places of a name in a text, each with the words around it. */
function phrasesOf(text: string, name: string): Phrase[] {
  const words = wordsIn(text);
  return placesOf(text, name).flatMap((at) => {
    const first = words.findIndex(({ from }) => from >= at);
    const last = words.findLastIndex(({ to }) => to <= at + name.length);
    if (!isWord(text, at, name.length) || first < 0 || last < first) return [];
    const from = Math.max(0, first - WORDS_AROUND);
    const around = words.slice(from, last + 1 + WORDS_AROUND);
    const shape = [first - from, last - first + 1, around.length - (last - from + 1)] as const;
    return [{ shape, form: formOf(around) }];
  });
}

const formOf = (words: readonly { text: string }[]) => words.map(({ text }) => foldWord(text)).join(' ');

/**
 * What is kept of names so that they are known again, and not told: of each word a keyed hash, and how it is meant; of a name
 * that no word alone tells, one of the words around each of its places.
 */
export function marksOf({ words, unspaced, exact }: ToldNames, hash: Hash): string[] {
  const ofWords = [...words].map(
    ([word, { isLoose, isCapital }]) => `${isLoose ? (isCapital ? 'capital' : 'loose') : 'word'}:${hash(word)}`,
  );
  const near = [...exact].flatMap(([text, names]) =>
    names.flatMap((name) => phrasesOf(text, name)).map(({ shape, form }) => `near:${shape.join('-')}:${hash(form)}`),
  );
  return [...ofWords, ...unspaced.map((name) => `${name.length}:${hash(name)}`), ...new Set(near)].sort();
}

/** The names that a record holds, of those whose marks were kept. */
export function namesByMarks(record: Json, marks: readonly string[], hash: Hash): ToldNames {
  const kept = new Set(marks);
  const lengths = new Set(marks.flatMap((mark) => (/^\d/.test(mark) ? [Number.parseInt(mark, 10)] : [])));
  const shapes = new Set(marks.flatMap((mark) => (mark.startsWith('near:') ? [mark.split(':')[1] ?? ''] : [])));
  const words = new Map<string, LeftOutWord>();
  const unspaced = new Set<string>();
  const exact = new Map<string, string[]>();
  const near = new Map<string, boolean>();
  const seen = new Set<string>();
  const look = (form: string, of: (hashed: string) => void) => {
    if (seen.has(form)) return;
    seen.add(form);
    of(hash(form));
  };
  for (const text of textsIn(record)) {
    const inText = wordsIn(text);
    for (const shape of shapes)
      for (const { phrase, name, form } of windowsOf(text, inText, shape)) {
        const isName = near.get(`${shape}:${form}`) ?? kept.has(`near:${shape}:${hash(form)}`);
        near.set(`${shape}:${form}`, isName);
        if (isName) exact.set(phrase, [...(exact.get(phrase) ?? []), name]);
      }
    for (const { text: word } of inText) {
      for (const folded of endings(foldWord(word)))
        look(folded, (hashed) => {
          if (kept.has(`word:${hashed}`)) words.set(folded, { to: '', isLoose: false });
          else if (kept.has(`capital:${hashed}`)) words.set(folded, { to: '', isLoose: true, isCapital: true });
          else if (kept.has(`loose:${hashed}`)) words.set(folded, { to: '', isLoose: true });
        });
      if (UNSPACED.test(word))
        for (const length of lengths)
          for (let at = 0; at + length <= word.length; at += 1)
            look(word.slice(at, at + length), (hashed) => {
              if (kept.has(`${length}:${hashed}`)) unspaced.add(word.slice(at, at + length));
            });
    }
  }
  return { words, unspaced: [...unspaced], exact };
}

/** Every place of a text at which so many words stand in a row, with those that would be the name. */
function windowsOf(text: string, words: ReturnType<typeof wordsIn>, shape: string) {
  const [before = 0, own = 0, after = 0] = shape.split('-').map(Number);
  const all = before + own + after;
  // Without words around it a name is a whole text: elsewhere it is a word.
  const starts = own === all ? (words.length === all ? 1 : 0) : Math.max(0, words.length - all + 1);
  return Array.from({ length: starts }, (_, at) => {
    const window = words.slice(at, at + all);
    const [first, last] = [window[before], window[before + own - 1]];
    const name = text.slice(first?.from, last?.to);
    return { phrase: text.slice(window[0]?.from, window.at(-1)?.to), name, form: formOf(window) };
  });
}

const endings = (folded: string) =>
  folded.length > 4 && folded.endsWith('s') ? [folded, folded.slice(0, -1)] : [folded];

function textsIn(value: Json, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth > 64) return [];
  if (Array.isArray(value)) return value.flatMap((part) => textsIn(part, depth + 1));
  return isJsonObject(value) ? Object.values(value).flatMap((part) => textsIn(part, depth + 1)) : [];
}
