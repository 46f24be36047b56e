import { REQUEST_WORDS } from '../words/request-languages.ts';
import type { Terms } from './request-terms.ts';
import { type FeatureVectors, featureVectors, type SparseVector } from './text-vectors.ts';

/** Groups whose mean requests are at most so far apart (1 less the cosine) are one. */
const NEAR = 0.4;
/** The same by the matter alone: what is to be done with what, whatever the particular item is. */
const NEAR_IN_MATTER = 0.15;
/** The same where both want to speak to somebody. */
const NEAR_IN_SPEAKING = 0.9;
/** A verb or a thing is that of a group where this share of its requests holds it. */
const MAIN_SHARE = 0.4;

/**
 * Puts groups together that are near each other, the nearest first: sorting tends to split what is asked for in two
 * manners or of two items. Groups that want another thing done, or with another thing, stay apart.
 * @param kept so many of the first groups hold requests that stay there: no two of them are put together.
 * @returns for each request its group.
 */
export function mergeNear(
  terms: readonly Terms[],
  groups: readonly number[],
  likeness: FeatureVectors,
  kept: number,
): number[] {
  const once = mergeBy(terms, groups, likeness, { near: NEAR, kept, apart: () => false });
  const matter = featureVectors(terms.map(matterOf));
  const twice = mergeBy(terms, once, matter, { near: NEAR_IN_MATTER, kept, apart: wantOther });
  return mergeBy(terms, twice, matter, {
    near: NEAR_IN_SPEAKING,
    kept,
    apart: (one, other) => !(wantsToSpeak(one) && wantsToSpeak(other)),
  });
}

const KNOWN = Object.values(REQUEST_WORDS);
const VERBS = new Set(KNOWN.flatMap(({ verbs }) => [...verbs.values()]));
const THINGS = new Set(KNOWN.flatMap(({ things }) => [...things.values()]));

/** Verbs, things of any business and kinds of question. */
function matterOf({ weights, acts }: Terms): Map<string, number> {
  return new Map(
    [...weights].filter(([term]) => term.startsWith('?') || acts.has(term) || VERBS.has(term) || THINGS.has(term)),
  );
}

interface Group {
  requests: Terms[];
  centre: Float64Array;
}

interface Rule {
  near: number;
  kept: number;
  apart(one: Group, other: Group): boolean;
}

function mergeBy(
  terms: readonly Terms[],
  groups: readonly number[],
  { vectors, dimensions }: FeatureVectors,
  rule: Rule,
): number[] {
  const all = new Map<number, Group>();
  for (const [at, number] of groups.entries()) {
    const [request, vector] = [terms[at], vectors[at]];
    if (request === undefined) continue;
    const group = all.get(number) ?? { requests: [], centre: new Float64Array(dimensions) };
    all.set(number, group);
    group.requests.push(request);
    if (vector) add(group.centre, vector);
  }
  const into = new Map<number, number>();
  for (let pair = nearest(all, rule); pair !== null; pair = nearest(all, rule)) {
    const [stays, goes] = pair;
    const [to, from] = [all.get(stays), all.get(goes)];
    if (to === undefined || from === undefined) break;
    to.requests.push(...from.requests);
    for (const [at, value] of from.centre.entries()) to.centre[at] = (to.centre[at] ?? 0) + value;
    all.delete(goes);
    into.set(goes, stays);
  }
  return groups.map((group) => {
    let end = group;
    for (let next = into.get(end); next !== undefined; next = into.get(end)) end = next;
    return end;
  });
}

/** The nearest pair that is near enough, the group that stays first. */
function nearest(all: ReadonlyMap<number, Group>, { near, kept, apart }: Rule): [number, number] | null {
  const list = [...all].sort((a, b) => a[0] - b[0]);
  const lengths = list.map(([, { centre }]) => Math.sqrt(product(centre, centre)));
  let best: [number, number] | null = null;
  let least = near;
  for (const [at, [number, one]] of list.entries()) {
    for (const [place, [later, other]] of list.entries()) {
      if (place <= at || later < kept) continue;
      const distance = 1 - product(one.centre, other.centre) / ((lengths[at] ?? 1) * (lengths[place] ?? 1));
      if (distance < least && !apart(one, other)) {
        least = distance;
        best = [number, later];
      }
    }
  }
  return best;
}

function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b;
}

function wantOther(one: Group, other: Group): boolean {
  const [wanted, rest] = [wantedOf(one), wantedOf(other)];
  return differ(wanted.verb, rest.verb) || differ(wanted.thing, rest.thing);
}

/** Whom they want to speak to, and about what, makes no matter of its own. */
function wantsToSpeak(group: Group): boolean {
  return wantedOf(group).verb === SPEAK;
}

/** Whoever names a person wants to speak to one, whatever it is about. */
function wantedOf(group: Group): { verb: string | null; thing: string | null } {
  const verb = mainOf(group, VERBS, true);
  const thing = mainOf(group, THINGS, false);
  return verb === SPEAK || thing === PERSON ? { verb: SPEAK, thing: PERSON } : { verb, thing };
}

const SPEAK = 'speak';
const PERSON = 'person';

/** The verb, or the thing, that most of a group's requests hold; null where none stands out. */
function mainOf({ requests }: Group, known: ReadonlySet<string>, act: boolean): string | null {
  const held = new Map<string, number>();
  for (const { weights, acts } of requests) {
    for (const term of weights.keys()) {
      if (known.has(term) && acts.has(term) === act) held.set(term, (held.get(term) ?? 0) + 1);
    }
  }
  const [first] = [...held].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return first !== undefined && first[1] >= requests.length * MAIN_SHARE ? first[0] : null;
}

function add(centre: Float64Array, { places, values }: SparseVector): void {
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] ?? 0;
    centre[place] = (centre[place] ?? 0) + (values[at] ?? 0);
  }
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
