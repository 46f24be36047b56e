import { type MixtureText, newGroupFor, priorFor, sortTexts } from './intent-mixture.ts';
import { modelOf, SAMPLE_CALLS, textOf, WHOLE } from './intent-model.ts';
import { type Elsewhere, nameGroup } from './intent-names.ts';
import { type CallIntents, type IntentCall, levelsOf, withoutMatter } from './intents.ts';
import { isReserved, type KnownIntent, OTHER } from './known-intent.ts';
import { requestTerms, type Terms } from './request-terms.ts';
import { findSubUseCases } from './sub-use-cases.ts';

export interface SampleCall extends IntentCall {
  /** The intent that it has; null before its first. */
  intent: string | null;
  /** Of what was asked, any length; null where no model made one. */
  vector?: readonly number[] | null;
}

export interface Discovered {
  /** All that were known, with what was learnt, and new ones. Their `calls` are left as they were; new ones have 0. */
  intents: KnownIntent[];
  byCall: Map<string, CallIntents>;
  /** Intents whose calls went elsewhere: their slugs stand for the intent that took most of them. */
  dissolved: { slug: string; into: string }[];
}

const NO_GROUP = -1;
const GROUPS_AT_MOST = 60;
const TERMS_KEPT = 80;
const FEWEST_CALLS = 2;
/** A group holds at least this share of the sample, or it stays `other`. */
const FEWEST_SHARE = 0.003;
/** Of so many sampled calls on, an intent learns its terms anew; below, it keeps those it had. */
const LEARNT_FROM = 10;

/**
 * Finds the intents of a sample of calls. Calls of intents that a person keeps stay there, and all calls that have an
 * intent do once the agent has settled; the others are sorted anew, since groups that were found among few calls are
 * rarely the right ones among many. A known slug goes on where at least half of its calls stay together, or make up half
 * of a group.
 * @param settled true from the point on at which a call that has an intent never gets another one.
 */
export function discoverIntents(
  known: readonly KnownIntent[],
  sample: readonly SampleCall[],
  { settled, seed }: { settled: boolean; seed: number },
): Discovered {
  const intents = known.map((one) => ({ ...one }));
  const standing = intents.filter((one) => one.kind === 'intent' && !isReserved(one.slug)).slice(0, GROUPS_AT_MOST);
  const read = sample.slice(0, SAMPLE_CALLS).map((call) => ({ call, terms: requestTerms(call.requests) }));
  // A call that has none yet begins with the known intent that explains it, so that known ones are reused first.
  const model = modelOf(intents);
  const asked = read.flatMap(({ call, terms }): ReadCall[] => {
    if (withoutMatter(terms) !== null) return [];
    const has = call.intent !== null && !isReserved(call.intent);
    return [{ call, terms, before: has ? call.intent : (model.place(terms)?.slug ?? null) }];
  });
  const groups = sortCalls(asked, standing, { settled, seed });
  const { slugs, dissolved } = nameGroups(asked, groups, standing, intents);

  const main = new Map<string, string>();
  for (const [at, { call }] of asked.entries()) main.set(call.callId, slugs.get(groups[at] ?? NO_GROUP) ?? OTHER);
  learnTerms(intents, asked, main);
  findSubUseCases(
    intents,
    asked.map(({ call, terms }) => ({ intent: main.get(call.callId) ?? OTHER, terms })),
  );
  const levels = levelsOf(intents);
  const byCall = new Map(
    read.map(({ call, terms }) => [
      call.callId,
      levels.callIntents(call, terms, main.get(call.callId) ?? withoutMatter(terms) ?? OTHER),
    ]),
  );
  return { intents, byCall, dissolved };
}

interface ReadCall {
  call: SampleCall;
  terms: Terms;
  /** The intent that it begins with. */
  before: string | null;
}

function sortCalls(
  asked: readonly ReadCall[],
  standing: readonly KnownIntent[],
  { settled, seed }: { settled: boolean; seed: number },
): number[] {
  const vocabulary = vocabularyOf(asked.map(({ terms }) => terms));
  const stays = (one: KnownIntent) => settled || one.kept === true;
  const groupOf = new Map(standing.filter(stays).map((one, at) => [one.slug, at]));
  const vectors = centred(asked.map(({ call }) => call.vector ?? null));
  const texts = asked.map(
    ({ terms, before }, at): MixtureText => ({
      ...textOf(terms, vocabulary),
      vector: vectors.units[at] ?? null,
      group: groupOf.get(before ?? '') ?? null,
    }),
  );
  const mass = texts.reduce((sum, text) => sum + text.weights.reduce((all, weight) => all + weight, 0), 0);
  const shape = {
    vocabulary: Math.max(1, vocabulary.size),
    prior: priorFor(mass),
    newGroup: newGroupFor(texts.length),
    alike: vectors.alike,
  };
  // A request of which nobody else says a word belongs to no group.
  const alone = (text: MixtureText) => text.terms.length === 0 && text.vector === null && text.group === null;
  const sorted = sortTexts(
    texts.filter((text) => !alone(text)),
    shape,
    { groupsAtMost: GROUPS_AT_MOST, seed, dimensions: vectors.dimensions },
  );
  let next = 0;
  return texts.map((text) => {
    if (alone(text)) return NO_GROUP;
    next += 1;
    return sorted[next - 1] ?? NO_GROUP;
  });
}

/** Terms of at least two calls: a word that nobody else says groups nothing. */
function vocabularyOf(list: readonly Terms[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const { weights } of list) for (const term of weights.keys()) held.set(term, (held.get(term) ?? 0) + 1);
  const kept = [...held].filter(([, calls]) => calls >= 2);
  return new Map(kept.map(([term], at) => [term, at]));
}

/**
 * A known intent goes on in the group that most of its calls are in now, where that is at least half of them or half of
 * the group; the others dissolve. Groups of enough calls that are nobody's are new and get their names.
 */
function nameGroups(
  asked: readonly ReadCall[],
  groups: readonly number[],
  standing: readonly KnownIntent[],
  intents: KnownIntent[],
): { slugs: Map<number, string>; dissolved: { slug: string; into: string }[] } {
  const members = Map.groupBy(asked.keys(), (at) => groups[at] ?? NO_GROUP);
  const slugs = goingOn(asked, members, standing);
  const fewest = Math.max(FEWEST_CALLS, Math.ceil(asked.length * FEWEST_SHARE));
  let room =
    GROUPS_AT_MOST -
    new Set([...standing.filter(({ slug }) => !seen(asked, slug)).map(({ slug }) => slug), ...slugs.values()]).size;
  const elsewhere = elsewhereOf(asked.map(({ terms }) => terms));
  for (const [group, list] of [...members].sort((a, b) => b[1].length - a[1].length || a[0] - b[0])) {
    if (group === NO_GROUP || slugs.has(group) || list.length < fewest || room <= 0) continue;
    room -= 1;
    const one = newIntent(
      list.flatMap((at) => asked[at]?.terms ?? []),
      elsewhere,
      intents,
    );
    slugs.set(group, one.slug);
  }
  const alive = new Set(slugs.values());
  const dissolved = standing.flatMap((one) => {
    if (alive.has(one.slug)) return [];
    const into = mostOf(
      asked.flatMap(({ before }, at) => (before === one.slug ? (slugs.get(groups[at] ?? NO_GROUP) ?? []) : [])),
    );
    if (into === null) return [];
    intents.splice(intents.indexOf(one), 1);
    return [{ slug: one.slug, into }];
  });
  return { slugs, dissolved };
}

/** An intent without a sampled call is only not seen at the moment. */
function seen(asked: readonly ReadCall[], slug: string): boolean {
  return asked.some(({ before }) => before === slug);
}

/** Which group each known intent goes on in, largest overlap first. */
function goingOn(
  asked: readonly ReadCall[],
  members: ReadonlyMap<number, number[]>,
  standing: readonly KnownIntent[],
): Map<number, string> {
  const before = Map.groupBy(asked, (one) => one.before);
  const known = new Map(standing.map((one) => [one.slug, one]));
  const pairs = [...members]
    .filter(([group]) => group !== NO_GROUP)
    .flatMap(([group, list]) =>
      [...Map.groupBy(list, (at) => asked[at]?.before ?? '')].flatMap(([slug, shared]) => {
        const kept = known.get(slug)?.kept === true;
        const most = Math.min(before.get(slug)?.length ?? 0, list.length);
        return known.has(slug) && (kept || shared.length * 2 >= most)
          ? [{ group, slug, kept, calls: shared.length }]
          : [];
      }),
    );
  pairs.sort((a, b) => Number(b.kept) - Number(a.kept) || b.calls - a.calls || (a.slug < b.slug ? -1 : 1));
  const slugs = new Map<number, string>();
  const placed = new Set<string>();
  for (const { group, slug } of pairs) {
    if (slugs.has(group) || placed.has(slug)) continue;
    slugs.set(group, slug);
    placed.add(slug);
  }
  return slugs;
}

function newIntent(members: readonly Terms[], elsewhere: Elsewhere, intents: KnownIntent[]): KnownIntent {
  const name = nameGroup(members, elsewhere);
  const taken = new Set(intents.filter((one) => one.kind === 'intent').map((one) => one.slug));
  let slug = name.slug;
  for (let number = 2; taken.has(slug) || isReserved(slug); number += 1) slug = `${name.slug}_${number}`;
  const parent = name.object ?? { slug, label: name.label };
  if (!intents.some((one) => one.kind === 'use_case' && one.slug === parent.slug)) {
    intents.push({ kind: 'use_case', ...parent, terms: {}, calls: 0 });
  }
  const one: KnownIntent = { kind: 'intent', slug, label: name.label, terms: {}, calls: 0, parent: parent.slug };
  intents.push(one);
  return one;
}

function elsewhereOf(list: readonly Terms[]): Elsewhere {
  const held = new Map<string, number>();
  const named = new Map<string, number>();
  for (const { weights, names } of list) {
    for (const term of weights.keys()) held.set(term, (held.get(term) ?? 0) + 1);
    for (const term of names) named.set(term, (named.get(term) ?? 0) + 1);
  }
  return {
    share: (term) => (held.get(term) ?? 0) / Math.max(1, list.length),
    isName: (term) => (named.get(term) ?? 0) * 2 >= (held.get(term) ?? 0),
  };
}

function mostOf(slugs: readonly string[]): string | null {
  const counts = [...Map.groupBy(slugs, (slug) => slug)].map(([slug, list]) => ({ slug, calls: list.length }));
  return counts.sort((a, b) => b.calls - a.calls || (a.slug < b.slug ? -1 : 1))[0]?.slug ?? null;
}

function learnTerms(intents: KnownIntent[], asked: readonly ReadCall[], main: ReadonlyMap<string, string>): void {
  const members = Map.groupBy(asked, ({ call }) => main.get(call.callId) ?? OTHER);
  for (const one of intents) {
    if (one.kind !== 'intent' || isReserved(one.slug)) continue;
    const list = members.get(one.slug) ?? [];
    if (list.length === 0 || (list.length < LEARNT_FROM && WHOLE in one.terms)) continue;
    one.terms = meanTerms(list.map(({ terms }) => terms));
  }
}

function meanTerms(list: readonly Terms[]): Record<string, number> {
  const sums = new Map<string, number>();
  let whole = 0;
  for (const { weights } of list) {
    for (const [term, weight] of weights) {
      sums.set(term, (sums.get(term) ?? 0) + weight);
      whole += weight;
    }
  }
  const kept = [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, TERMS_KEPT);
  const mean = (sum: number) => Math.round((sum / list.length) * 10_000) / 10_000;
  return Object.fromEntries([[WHOLE, mean(whole)], ...kept.map(([term, sum]) => [term, mean(sum)] as const)]);
}

/** Pairs of texts that are looked at to learn which cosine is usual. */
const PAIRS_READ = 4000;
/** A cosine that so many of all pairs stay under speaks for one group. */
const ALIKE_QUANTILE = 0.6;

/** Unit vectors without what all texts share, and the cosine from which on two of them are alike. */
function centred(vectors: readonly (readonly number[] | null)[]): {
  units: (Float64Array | null)[];
  alike: number;
  dimensions: number;
} {
  const given = vectors.filter((vector) => vector !== null);
  const dimensions = given[0]?.length ?? 0;
  if (dimensions === 0) return { units: vectors.map(() => null), alike: 0, dimensions: 0 };
  const mean = new Float64Array(dimensions);
  for (const vector of given) for (let at = 0; at < dimensions; at += 1) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0);
  const units = vectors.map((vector) => {
    if (vector === null) return null;
    const moved = Float64Array.from(mean, (sum, at) => (vector[at] ?? 0) - sum / given.length);
    const length = Math.hypot(...moved);
    return length === 0 ? null : moved.map((value) => value / length);
  });
  const known = units.filter((unit) => unit !== null);
  const cosines: number[] = [];
  for (let pair = 0; pair < PAIRS_READ; pair += 1) {
    const one = known[(pair * 7919) % known.length];
    const other = known[(pair * 104_729 + 1) % known.length];
    if (one !== undefined && other !== undefined && one !== other) cosines.push(product(one, other));
  }
  cosines.sort((a, b) => a - b);
  return { units, alike: cosines[Math.floor(cosines.length * ALIKE_QUANTILE)] ?? 0, dimensions };
}

function product(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
