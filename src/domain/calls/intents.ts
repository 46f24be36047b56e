import { groupBySimilarity } from './intent-clusters.ts';
import { requestTerms, type Terms } from './request-terms.ts';

export type IntentKind = 'intent' | 'use_case' | 'sub_use_case';

/** An intent that an agent's callers have; `terms` are the shares of its calls in which a term occurred (0 to 1). */
export interface KnownIntent {
  kind: IntentKind;
  /** Never changes once given. */
  slug: string;
  label: string;
  terms: Record<string, number>;
  calls: number;
}

export interface IntentCall {
  callId: string;
  /** In the caller's words; a call without any is `other`. */
  requests: string[];
  objective: string;
}

export interface CallIntents {
  intent: string;
  useCase: string;
  subUseCase: string;
}

export interface AssignedIntents {
  intents: KnownIntent[];
  byCall: Map<string, CallIntents>;
}

/** How alike calls must be to share a group: a use case is the coarser group, a sub use case the finer. */
const LEVELS = [
  { kind: 'use_case', alike: 0.1, reuse: 0.12 },
  { kind: 'intent', alike: 0.14, reuse: 0.17 },
  { kind: 'sub_use_case', alike: 0.26, reuse: 0.3 },
] as const satisfies readonly { kind: IntentKind; alike: number; reuse: number }[];

const OTHER = 'other';
const TERMS_KEPT = 40;
const NAME_WORDS = 3;
/** A word of the name, other than the commonest, is in this share of the group's requests. */
const NAME_SHARE = 0.35;
/** A group of fewer calls in one batch is noise, not an intent. */
const FEWEST_CALLS = 2;
const FEWEST_SHARE = 0.02;

/**
 * Gives each call of a batch (about 100) its intent, use case and sub use case. Known ones are reused where a call is
 * alike enough; what is left is clustered among itself, and only groups of several calls become new ones. Slugs are
 * made once from the commonest words and never change. Single calls that fit nowhere are `other`.
 */
export function assignIntents(known: readonly KnownIntent[], calls: readonly IntentCall[]): AssignedIntents {
  const intents = known.map((one) => ({ ...one, terms: { ...one.terms } }));
  const documents = calls.map((call) => requestTerms(call.requests));
  const slugs = new Map<IntentKind, string[]>();
  for (const level of LEVELS) slugs.set(level.kind, assignLevel(intents, documents, level));
  const byCall = new Map<string, CallIntents>();
  for (const [at, call] of calls.entries()) {
    byCall.set(call.callId, {
      intent: slugs.get('intent')?.[at] ?? OTHER,
      useCase: slugs.get('use_case')?.[at] ?? OTHER,
      subUseCase: slugs.get('sub_use_case')?.[at] ?? OTHER,
    });
  }
  return { intents, byCall };
}

function assignLevel(intents: KnownIntent[], documents: readonly Terms[], level: (typeof LEVELS)[number]): string[] {
  const ours = intents.filter((one) => one.kind === level.kind && one.slug !== OTHER);
  const rarity = rarityOf(ours, documents);
  const vectors = documents.map((document) => weigh(document.weights, rarity));
  const result: string[] = new Array<string>(documents.length).fill(OTHER);
  const left: number[] = [];
  const centres = ours.map((one) => ({ one, vector: weigh(new Map(Object.entries(one.terms)), rarity) }));
  for (const [at, vector] of vectors.entries()) {
    const best = nearest(centres, vector);
    if (best !== null && best.alike >= level.reuse) result[at] = best.one.slug;
    else if (vector.size > 0) left.push(at);
  }
  const fewest = Math.max(FEWEST_CALLS, Math.ceil(documents.length * FEWEST_SHARE));
  const groups = groupBySimilarity(
    left.map((at) => vectors[at] ?? new Map()),
    level.alike,
  );
  const alone: number[] = [];
  const made: Centre[] = [];
  for (const group of groups) {
    const members = group.map((at) => left[at] ?? 0);
    if (members.length < fewest) {
      alone.push(...members);
      continue;
    }
    const one = nameGroup(members, documents, rarity, intents, level.kind);
    intents.push(one);
    made.push({ one, vector: weigh(sharesOf(members.map((member) => documents[member])), rarity) });
    for (const member of members) result[member] = one.slug;
  }
  // What was alone may still be alike enough to a group that the batch has just made.
  for (const member of alone) {
    const best = nearest(made, vectors[member] ?? new Map());
    if (best !== null && best.alike >= level.reuse) result[member] = best.one.slug;
  }
  learn(intents, level.kind, documents, result);
  return result;
}

/** Terms that few requests hold tell more: the usual inverse document frequency, over what was learnt and the batch. */
function rarityOf(known: readonly KnownIntent[], documents: readonly Terms[]): (term: string) => number {
  const held = new Map<string, number>();
  let total = documents.length;
  for (const document of documents)
    for (const term of document.weights.keys()) held.set(term, (held.get(term) ?? 0) + 1);
  for (const one of known) {
    total += one.calls;
    for (const [term, share] of Object.entries(one.terms)) held.set(term, (held.get(term) ?? 0) + share * one.calls);
  }
  return (term) => Math.log(1 + total / (1 + (held.get(term) ?? 0)));
}

function weigh(weights: ReadonlyMap<string, number>, rarity: (term: string) => number): Map<string, number> {
  const vector = new Map<string, number>();
  let squares = 0;
  for (const [term, weight] of weights) {
    const value = weight * rarity(term);
    vector.set(term, value);
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (length > 0) for (const [term, value] of vector) vector.set(term, value / length);
  return vector;
}

interface Centre {
  one: KnownIntent;
  vector: ReadonlyMap<string, number>;
}

/** In which share of the requests each term occurs. */
function sharesOf(list: readonly (Terms | undefined)[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const document of list) {
    for (const term of document?.weights.keys() ?? []) shares.set(term, (shares.get(term) ?? 0) + 1 / list.length);
  }
  return shares;
}

function nearest(
  centres: readonly Centre[],
  vector: ReadonlyMap<string, number>,
): { one: KnownIntent; alike: number } | null {
  let best: { one: KnownIntent; alike: number } | null = null;
  for (const centre of centres) {
    let alike = 0;
    for (const [term, value] of vector) alike += value * (centre.vector.get(term) ?? 0);
    if (best === null || alike > best.alike) best = { one: centre.one, alike };
  }
  return best;
}

function nameGroup(
  members: readonly number[],
  documents: readonly Terms[],
  rarity: (term: string) => number,
  intents: readonly KnownIntent[],
  kind: IntentKind,
): KnownIntent {
  const scores = new Map<string, { held: number; place: number; word: string }>();
  for (const member of members) {
    const document = documents[member];
    if (document === undefined) continue;
    let place = 0;
    for (const term of document.weights.keys()) {
      place += 1;
      if (term.includes(' ')) continue;
      const score = scores.get(term) ?? { held: 0, place: 0, word: document.spoken.get(term) ?? term };
      score.held += 1;
      score.place += place;
      scores.set(term, score);
    }
  }
  const telling = [...scores.entries()]
    .sort((a, b) => b[1].held ** 2 * rarity(b[0]) - a[1].held ** 2 * rarity(a[0]) || (a[0] < b[0] ? -1 : 1))
    .filter(([, score], at) => at === 0 || score.held >= NAME_SHARE * members.length)
    .slice(0, NAME_WORDS);
  const named = telling.sort((a, b) => a[1].place / a[1].held - b[1].place / b[1].held).map(([, score]) => score.word);
  const label = named.join(' ');
  return {
    kind,
    slug: freeSlug(named.join('_') || 'request', intents, kind),
    label: label === '' ? 'Request' : label[0]?.toUpperCase() + label.slice(1),
    terms: {},
    calls: 0,
  };
}

function freeSlug(wanted: string, intents: readonly KnownIntent[], kind: IntentKind): string {
  const taken = new Set(intents.filter((one) => one.kind === kind).map((one) => one.slug));
  taken.add(OTHER);
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}_${number}`)) number += 1;
  return `${wanted}_${number}`;
}

/** Moves each intent's term shares by the calls that it took, and counts them. */
function learn(intents: KnownIntent[], kind: IntentKind, documents: readonly Terms[], slugs: readonly string[]): void {
  const taken = new Map<string, Terms[]>();
  for (const [at, slug] of slugs.entries()) {
    const document = documents[at];
    if (document === undefined) continue;
    const list = taken.get(slug);
    if (list === undefined) taken.set(slug, [document]);
    else list.push(document);
  }
  for (const [slug, list] of taken) {
    let one = intents.find((intent) => intent.kind === kind && intent.slug === slug);
    if (one === undefined) {
      one = { kind, slug, label: 'Other', terms: {}, calls: 0 };
      intents.push(one);
    }
    if (slug !== OTHER) one.terms = movedTerms(one, list);
    one.calls += list.length;
  }
}

function movedTerms(one: KnownIntent, list: readonly Terms[]): Record<string, number> {
  const held = new Map<string, number>();
  for (const [term, share] of Object.entries(one.terms)) held.set(term, share * one.calls);
  for (const document of list) for (const term of document.weights.keys()) held.set(term, (held.get(term) ?? 0) + 1);
  const total = one.calls + list.length;
  const kept = [...held.entries()].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, TERMS_KEPT);
  return Object.fromEntries(kept.map(([term, count]) => [term, Math.round((count / total) * 1000) / 1000]));
}
