import { groupRequests, NO_GROUP } from './intent-groups.ts';
import { modelOf, SAMPLE_CALLS, WHOLE } from './intent-model.ts';
import { type Elsewhere, nameGroup } from './intent-names.ts';
import {
  type CallIntents,
  INTENTS_AT_MOST,
  type IntentCall,
  levelsOf,
  namesOfCalls,
  termsOfCall,
  withoutMatter,
} from './intents.ts';
import { isReserved, type KnownIntent, OTHER } from './known-intent.ts';
import { addIntent, sortByName } from './named-intents.ts';
import type { Terms } from './request-terms.ts';
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

const TERMS_KEPT = 80;
const FEWEST_CALLS = 2;
/** A group holds at least this share of the sample, or it stays `other`. */
const FEWEST_SHARE = 0.003;
/** Of so many sampled calls on, an intent learns its terms anew; below, it keeps those it had. */
const LEARNT_FROM = 10;

/**
 * Finds the intents of a sample of calls. Calls of intents that a person keeps stay there. Calls whose reader named what
 * was wanted are sorted by that name, and the others by their words: anew, since groups that were found among few calls are
 * rarely the right ones among many, until the agent has settled.
 * @param settled true from the point on at which a call that has an intent never gets another one.
 */
export function discoverIntents(
  known: readonly KnownIntent[],
  sample: readonly SampleCall[],
  { settled, seed }: { settled: boolean; seed: number },
): Discovered {
  const intents = known.map((one) => ({ ...one }));
  const standing = intents.filter((one) => one.kind === 'intent' && !isReserved(one.slug)).slice(0, INTENTS_AT_MOST);
  const keptByPerson = new Set(standing.flatMap(({ slug, kept }) => (kept ? [slug] : [])));
  const sampled = sample.slice(0, SAMPLE_CALLS);
  const read = sampled.map((call) => ({ call, terms: termsOfCall(call) }));
  const named = namedIntents(
    intents,
    sampled.filter(({ intent }) => !keptByPerson.has(intent ?? '')),
    settled,
  );
  // A call that has none yet begins with the known intent that explains it, so that known ones are reused first.
  const model = modelOf(intents);
  const asked = read.flatMap(({ call, terms }): ReadCall[] => {
    const name = named.byCall.get(call.callId);
    const isSorted = name !== undefined || keptByPerson.has(call.intent ?? '');
    if (isSorted ? isReserved(name ?? '') : withoutMatter(terms) !== null) return [];
    const has = call.intent !== null && !isReserved(call.intent) ? call.intent : null;
    const before = name ?? has ?? model.place(terms)?.slug ?? null;
    return [{ call, terms, before, had: has ?? before }];
  });
  const pinned = [
    ...standing.filter((one) => (settled || one.kept === true) && !named.slugs.has(one.slug)),
    ...intents.flatMap((one) => (one.kind === 'intent' && named.slugs.has(one.slug) ? [{ ...one, kept: true }] : [])),
  ];
  const placeOf = new Map(pinned.map((one, at) => [one.slug, at]));
  // What is sorted by its words is sorted anew, also where names made the intent that it was in.
  const stays = ({ callId }: SampleCall, before: string | null) =>
    settled || named.byCall.has(callId) || keptByPerson.has(before ?? '') ? (placeOf.get(before ?? '') ?? null) : null;
  const groups = groupRequests(
    asked.map(({ call, terms, before }) => ({
      terms,
      vector: call.vector ?? null,
      stays: stays(call, before),
    })),
    { atMost: INTENTS_AT_MOST, kept: pinned.length, seed },
  );
  const { slugs, dissolved } = nameGroups(asked, groups, { standing, pinned }, intents);

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
      levels.callIntents(
        call,
        terms,
        main.get(call.callId) ?? named.byCall.get(call.callId) ?? withoutMatter(terms) ?? OTHER,
      ),
    ]),
  );
  return { intents, byCall, dissolved };
}

/** Which intent the name that its reader gave it makes of a call. Once the agent has settled no intent goes into another. */
function namedIntents(
  intents: KnownIntent[],
  calls: readonly SampleCall[],
  settled: boolean,
): { byCall: Map<string, string>; slugs: Set<string> } {
  const { reserved, own } = namesOfCalls(calls);
  const known = settled ? intents.map((one) => ({ ...one, kept: true })) : [...intents];
  const fewest = Math.ceil(own.length * FEWEST_SHARE);
  const sorted = sortByName(known, own, { atMost: INTENTS_AT_MOST, fewest });
  intents.push(...known.slice(intents.length));
  return { byCall: new Map([...reserved, ...sorted]), slugs: new Set(sorted.values()) };
}

interface ReadCall {
  call: SampleCall;
  terms: Terms;
  /** The intent that it begins with. */
  before: string | null;
  /** The intent that it had; where it had none, the same. */
  had: string | null;
}

/**
 * A group in which the calls of a pinned intent are is that intent. The others of enough calls get the name that their
 * callers' words give them, and two of one name are one intent: so the same calls give the same intents, whatever was
 * found before. What is in no group any more dissolves.
 */
function nameGroups(
  asked: readonly ReadCall[],
  groups: readonly number[],
  { standing, pinned }: { standing: readonly KnownIntent[]; pinned: readonly KnownIntent[] },
  intents: KnownIntent[],
): { slugs: Map<number, string>; dissolved: { slug: string; into: string }[] } {
  const members = Map.groupBy(asked.keys(), (at) => groups[at] ?? NO_GROUP);
  const slugs = goingOn(asked, members, pinned);
  const fewest = Math.max(FEWEST_CALLS, Math.ceil(asked.length * FEWEST_SHARE));
  const alive = new Set([
    ...slugs.values(),
    ...pinned.filter(({ slug }) => !seen(asked, slug)).map(({ slug }) => slug),
  ]);
  const elsewhere = elsewhereOf(asked.map(({ terms }) => terms));
  for (const [group, list] of [...members].sort((a, b) => b[1].length - a[1].length || a[0] - b[0])) {
    if (group === NO_GROUP || slugs.has(group) || list.length < fewest) continue;
    const name = nameGroup(
      list.flatMap((at) => asked[at]?.terms ?? []),
      elsewhere,
    );
    if (!alive.has(name.slug) && alive.size >= INTENTS_AT_MOST) continue;
    alive.add(name.slug);
    slugs.set(group, name.slug);
    if (!intents.some((one) => one.kind === 'intent' && one.slug === name.slug)) {
      addIntent(intents, { ...name, parent: name.object ?? { slug: name.slug, label: name.label } });
    }
  }
  const dissolved = standing.flatMap((one) => {
    if (alive.has(one.slug)) return [];
    const into = mostOf(
      asked.flatMap(({ had }, at) => (had === one.slug ? (slugs.get(groups[at] ?? NO_GROUP) ?? []) : [])),
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
