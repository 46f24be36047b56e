import { cutWords } from '../text.ts';
import { NAMES_OF_ASKING } from '../words/en/requests.ts';
import { REQUEST_WORDS } from '../words/request-languages.ts';
import { isReserved, type KnownIntent, RESERVED } from './known-intent.ts';
import { stem } from './word-stem.ts';

/** An intent as its name says it. */
export interface NamedIntent {
  /** Lower case, words joined by `_`. */
  slug: string;
  label: string;
  /** Its use case: the thing that it is about, or itself where the name has none. */
  parent: { slug: string; label: string };
}

const NAME_AT_MOST = 60;
const { verbs: VERBS, things: THINGS, empty: EMPTY } = REQUEST_WORDS.en;
/** Verbs that names of one request take for each other. */
const SAME_VERB: ReadonlyMap<string, string> = new Map([
  ['change', 'move'],
  ['check', 'find'],
]);
const NONE = /^(?:none|unknown|unclear|n\/?a|null|no (?:intent|request)s?)$/;

/**
 * What a name says, whatever words it says it in: equal for "move appointment" and "Reschedule a visit". Names are in
 * English, whatever language a call is in. Empty where a name says nothing.
 */
export function nameKey(name: string): string {
  return [...termsOf(name)].sort().join(' ');
}

function termsOf(name: string): Set<string> {
  const words = wordsOf(name);
  const told = words.filter((word) => !EMPTY.has(word) && !NAMES_OF_ASKING.has(word));
  // A name of such words alone ("ask question") is told by all of them.
  return new Set((told.length > 0 ? told : words).map((word) => meaningOf(word, word === words[0])));
}

function meaningOf(word: string, isFirst: boolean): string {
  const meaning = isFirst ? (VERBS.get(word) ?? THINGS.get(word)) : (THINGS.get(word) ?? VERBS.get(word));
  const term = meaning ?? stem(word);
  return SAME_VERB.get(term) ?? term;
}

const wordsOf = (name: string): string[] =>
  cutWords(name.slice(0, NAME_AT_MOST).replaceAll('_', ' ').toLowerCase()).words.filter((word) =>
    /[\p{L}\p{N}]/u.test(word),
  );

/** The reserved slug that a name stands for; null where it is a name of its own. `undefined`: it names nothing. */
export function reservedByName(name: string): string | null | undefined {
  if (NONE.test(name.trim().toLowerCase())) return undefined;
  const key = nameKey(name);
  if (key === '') return undefined;
  for (const [slug, label] of RESERVED) if (key === nameKey(label)) return slug;
  return null;
}

/** The intent that a name makes where none is known by it. */
export function intentNamed(name: string): NamedIntent {
  const words = wordsOf(name);
  const { slug, label } = written(words);
  const rest = words.slice(1).filter((word) => !EMPTY.has(word));
  const thing = rest.map((word) => THINGS.get(word)).find((one) => one !== undefined) ?? rest.at(-1);
  return { slug, label, parent: thing === undefined ? { slug, label } : written([thing]) };
}

function written(words: readonly string[]): { slug: string; label: string } {
  const label = words.join(' ');
  return { slug: words.join('_'), label: label.slice(0, 1).toUpperCase() + label.slice(1) };
}

/** Known intents by what their labels and slugs say; those that a person keeps and those of more calls first. */
export function intentsByName(known: readonly KnownIntent[]): Map<string, KnownIntent> {
  const byKey = new Map<string, KnownIntent>();
  const own = known.filter(({ kind, slug }) => kind === 'intent' && !isReserved(slug));
  own.sort(
    (a, b) => Number(b.kept === true) - Number(a.kept === true) || b.calls - a.calls || (a.slug < b.slug ? -1 : 1),
  );
  for (const one of own) {
    for (const name of [one.label, one.slug, ...(one.aliases ?? [])]) {
      const key = nameKey(name);
      if (key !== '' && !byKey.has(key)) byKey.set(key, one);
    }
  }
  return byKey;
}

/** Adds an intent with the use case above it. */
export function addIntent(intents: KnownIntent[], { slug, label, parent }: NamedIntent): KnownIntent {
  if (!intents.some((one) => one.kind === 'use_case' && one.slug === parent.slug)) {
    intents.push({ kind: 'use_case', ...parent, terms: {}, calls: 0, parent: null });
  }
  const intent: KnownIntent = { kind: 'intent', slug, label, terms: {}, calls: 0, parent: parent.slug };
  intents.push(intent);
  return intent;
}

export interface NamedCall {
  callId: string;
  name: string;
}

/**
 * Brings the names that readers gave calls to intents. Names that say the same are one intent, known ones before new; a
 * name that says more than another one ("book dental appointment" beside "book appointment") is of the other, unless an
 * intent that stays bears it. New ones take the commonest of their spellings.
 * @param known those that stay as they are come as `kept`. New ones are added.
 * @param atMost intents; names of fewer calls beyond it are left out, and so are those of fewer than `fewest`.
 * @returns the slug of each call whose name has an intent.
 */
export function sortByName(
  known: KnownIntent[],
  calls: readonly NamedCall[],
  { atMost, fewest }: { atMost: number; fewest: number },
): Map<string, string> {
  const byKey = intentsByName(known);
  const names = [...Map.groupBy(calls, ({ name }) => nameKey(name))].map(([key, some]) => ({
    key,
    terms: new Set(key.split(' ')),
    calls: some,
  }));
  names.sort((a, b) => a.terms.size - b.terms.size || b.calls.length - a.calls.length || (a.key < b.key ? -1 : 1));
  const groups: { key: string; terms: ReadonlySet<string>; calls: NamedCall[] }[] = [];
  for (const one of names) {
    const wider = byKey.get(one.key)?.kept
      ? undefined
      : groups.find(({ terms }) => terms.size >= 2 && [...terms].every((term) => one.terms.has(term)));
    if (wider) wider.calls.push(...one.calls);
    else groups.push({ ...one, calls: [...one.calls] });
  }
  groups.sort((a, b) => b.calls.length - a.calls.length || (a.key < b.key ? -1 : 1));
  const slugs = new Map<string, string>();
  const used = new Set<string>();
  for (const { key, calls: some } of groups) {
    const had = byKey.get(key);
    const isNew = had === undefined || !used.has(had.slug);
    if (isNew && !had?.kept && (used.size >= atMost || some.length < fewest)) continue;
    const slug = (had ?? newIntent(known, key, some)).slug;
    used.add(slug);
    for (const { callId } of some) slugs.set(callId, slug);
  }
  return slugs;
}

/** By the commonest name among those that say just this. */
function newIntent(known: KnownIntent[], key: string, calls: readonly NamedCall[]): KnownIntent {
  const spelled = [
    ...Map.groupBy(
      calls.filter(({ name }) => nameKey(name) === key),
      ({ name }) => intentNamed(name).slug,
    ),
  ];
  spelled.sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const named = intentNamed(spelled[0]?.[1][0]?.name ?? key);
  return known.find((one) => one.kind === 'intent' && one.slug === named.slug) ?? addIntent(known, named);
}

/** Names that one question holds. */
const OFFERED_AT_MOST = 40;

/**
 * The names that a reader is offered: labels of the intents that a person keeps or that a reader named, and names that are
 * no intent yet, each matter once. What only words of callers named is left out: a reader names it better.
 * @param named by readers, the commonest first.
 * @param standing the agent's intents, those of most calls first.
 * @returns in the order of the alphabet.
 */
export function namesToOffer(
  named: readonly string[],
  standing: readonly { slug: string; label: string; kept: boolean }[],
): string[] {
  const read = named.filter((name) => reservedByName(name) === null);
  const keys = new Set(read.map(nameKey));
  const offered = new Map<string, string>();
  const taken = new Set<string>();
  for (const { slug, label, kept } of standing) {
    const own = [nameKey(label), nameKey(slug)];
    if (isReserved(slug) || (!kept && !own.some((key) => keys.has(key)))) continue;
    offered.set(slug, label);
    for (const key of own) taken.add(key);
  }
  for (const name of read) {
    const key = nameKey(name);
    if (!taken.has(key)) offered.set(key, intentNamed(name).label);
    taken.add(key);
  }
  return [...offered.values()].slice(0, OFFERED_AT_MOST).sort();
}
