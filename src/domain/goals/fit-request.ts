import { matterOf, stem } from '../watches/words.ts';

/** Something that a request may mean, under all the names that it goes by. */
export interface Named {
  /** Its label, code, slug or title: words that say what it is. */
  names: readonly string[];
}

export interface Fit<Thing extends Named> {
  thing: Thing;
  /** What names it, as the request has it: an identifier, or words. */
  words: string[];
}

/**
 * What a request means, surest first: what it names whole, by an identifier such as `book_visit`, then what shares more
 * than half of the words of one of its names with it, or of the request's own words where those are fewer. Words that name
 * nothing count for neither.
 */
export function fitRequest<Thing extends Named>(request: string, things: readonly Thing[]): Fit<Thing>[] {
  const identified = byIdentifier(request, things);
  const identifiers = new Set(identified.flatMap(({ words }) => words));
  const others = things.filter((thing) => !identified.some((one) => one.thing === thing));
  const rest = request.toLowerCase().replaceAll(IDENTIFIERS, (token) => (identifiers.has(token) ? ' ' : token));
  return [...identified, ...byWords(rest, others)];
}

/** Words of a request that name none of the things that it fits. */
export function unmatchedWords(request: string, fits: readonly Pick<Fit<Named>, 'words'>[]): string[] {
  const used = new Set(fits.flatMap(({ words }) => words.flatMap((word) => [...wordsByStem(word).keys()])));
  return [...wordsByStem(request)]
    .flatMap(([one, word]) => (used.has(one) || ORDERS.has(word) ? [] : [word]))
    .slice(0, UNMATCHED_AT_MOST);
}

const UNMATCHED_AT_MOST = 20;
/** Words that order, and name nothing. */
const ORDERS: ReadonlySet<string> = new Set([
  'should',
  'must',
  'shall',
  'ought',
  'never',
  'always',
  'want',
  'wants',
  'need',
  'needs',
]);

/** What only an identifier looks like: with a mark inside. */
const IDENTIFIERS = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[_.:-][\p{L}\p{N}]+)+/gu;

function byIdentifier<Thing extends Named>(request: string, things: readonly Thing[]): Fit<Thing>[] {
  const tokens = new Set(request.toLowerCase().match(IDENTIFIERS) ?? []);
  return things.flatMap((thing) => {
    const identifier = thing.names.map((name) => name.toLowerCase()).find((name) => tokens.has(name));
    return identifier === undefined ? [] : [{ thing, words: [identifier] }];
  });
}

function byWords<Thing extends Named>(request: string, things: readonly Thing[]): Fit<Thing>[] {
  const named = things.map((thing) => ({ thing, names: thing.names.map(stemsOf) }));
  const known = new Set(named.flatMap(({ names }) => names.flatMap((stems) => [...stems])));
  const wanted = [...wordsByStem(request)].filter(([one]) => known.has(one));
  return named
    .flatMap(({ thing, names }) =>
      names
        .map((stems) => ({ thing, ...sharedWith(wanted, stems) }))
        .toSorted(surest)
        .slice(0, 1),
    )
    .filter(({ share }) => share > 0.5)
    .toSorted(surest);
}

interface Shared {
  words: string[];
  share: number;
}

function sharedWith(wanted: readonly (readonly [string, string])[], stems: ReadonlySet<string>): Shared {
  const words = wanted.filter(([one]) => stems.has(one)).map(([, word]) => word);
  return { words, share: words.length / Math.max(1, Math.min(wanted.length, stems.size)) };
}

const surest = (a: Shared, b: Shared) => b.share - a.share || b.words.length - a.words.length;

const inWords = (text: string) => text.replaceAll(/[_.:/-]/g, ' ').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');

/** By stem the word as the request has it first. */
function wordsByStem(request: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const word of matterOf(inWords(request))) if (!words.has(stem(word))) words.set(stem(word), word);
  return words;
}

const stemsOf = (name: string) => new Set(matterOf(inWords(name)).map(stem));
