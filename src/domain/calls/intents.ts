import { type IntentModel, modelOf } from './intent-model.ts';
import { type IntentKind, type KnownIntent, NO_REQUEST, OTHER, RESERVED, WRONG_NUMBER } from './known-intent.ts';
import { addIntent, intentNamed, intentsByName, type NamedCall, nameKey, reservedByName } from './named-intents.ts';
import { requestTerms, type Terms } from './request-terms.ts';

export interface IntentCall {
  callId: string;
  /** In order, in the caller's words or in those of a reader. */
  requests: string[];
  /** The same in the caller's own words, where `requests` are a reader's. */
  said?: string[] | null;
  /** The intent of the main request as a reader named it. */
  named?: string | null;
}

export interface CallIntents {
  intent: string;
  useCase: string;
  /** Null where the intent has no kinds, or the call shows none of them. */
  subUseCase: string | null;
  /** For each request its own intent. */
  requestIntents: string[];
}

export interface AssignedIntents {
  intents: KnownIntent[];
  byCall: Map<string, CallIntents>;
}

/** Whatever the traffic, an agent has no more. */
export const INTENTS_AT_MOST = 60;

/**
 * Gives each call its intent, use case and sub use case: by the name that a reader gave it, else among those that are
 * known, by the model of the last discovery. A call never changes the model, so the order of calls and batches does not
 * matter. What fits nowhere is `other` until a discovery (`discoverIntents`) finds enough that is alike.
 */
export function assignIntents(known: readonly KnownIntent[], calls: readonly IntentCall[]): AssignedIntents {
  const intents = known.map((one) => ({ ...one }));
  const named = intentsOfNames(intents, calls);
  const levels = levelsOf(intents);
  const byCall = new Map<string, CallIntents>();
  for (const call of calls) {
    const terms = termsOfCall(call);
    byCall.set(call.callId, levels.callIntents(call, terms, named.get(call.callId) ?? mainIntent(levels.model, terms)));
  }
  countCalls(intents, byCall);
  return { intents, byCall };
}

export const termsOfCall = ({ requests, said }: IntentCall): Terms => requestTerms(said ?? requests);

/** Calls whose reader named their main request: what the name stands for, and the names that are an intent's own. */
export function namesOfCalls(calls: readonly IntentCall[]): { reserved: Map<string, string>; own: NamedCall[] } {
  const reserved = new Map<string, string>();
  const own: NamedCall[] = [];
  for (const { callId, named } of calls) {
    const slug = named ? reservedByName(named) : undefined;
    if (named && slug === null) own.push({ callId, name: named });
    else if (slug) reserved.set(callId, slug);
  }
  return { reserved, own };
}

/** Nothing is put together here: an intent that some call has stays one until a discovery looks at all of them. */
function intentsOfNames(intents: KnownIntent[], calls: readonly IntentCall[]): Map<string, string> {
  const { reserved, own } = namesOfCalls(calls);
  if (own.length === 0) return reserved;
  const byName = intentsByName(intents);
  let room = INTENTS_AT_MOST - intents.filter(({ kind, calls: many }) => kind === 'intent' && many > 0).length;
  const found = new Map(reserved);
  for (const { callId, name } of own) {
    const key = nameKey(name);
    let intent = byName.get(key);
    if (intent === undefined && room > 0) {
      const made = intentNamed(name);
      intent = intents.find(({ kind, slug }) => kind === 'intent' && slug === made.slug) ?? addIntent(intents, made);
      byName.set(key, intent);
      room -= 1;
    }
    if (intent !== undefined) found.set(callId, intent.slug);
  }
  return found;
}

function mainIntent(model: IntentModel, terms: Terms): string {
  return withoutMatter(terms) ?? model.place(terms)?.slug ?? OTHER;
}

/** Greetings, small talk and wrong numbers are told by rule and never sorted; null for a call that asks for something. */
export function withoutMatter(terms: Terms): string | null {
  if (terms.weights.size === 0) return NO_REQUEST;
  return terms.weights.has('wrong number') ? WRONG_NUMBER : null;
}

/** A request beside the main one needs an intent that is plainly its own; else it belongs to what was asked before. */
const SURE = 0.8;

export interface Levels {
  model: IntentModel;
  /** All levels of a call from its main intent; where that is `other`, a later request that fits stands for it. */
  callIntents(call: IntentCall, terms: Terms, main: string): CallIntents;
}

/** How calls are given the levels above and below their intent, and each request its own intent. */
export function levelsOf(known: readonly KnownIntent[]): Levels {
  const model = modelOf(known);
  const parents = new Map(
    known.filter((one) => one.kind === 'intent').map((one) => [one.slug, one.parent ?? one.slug]),
  );
  const below = Map.groupBy(
    known.filter((one) => one.kind === 'sub_use_case' && Object.keys(one.terms).length > 0),
    (one) => one.parent ?? '',
  );
  const callIntents = (call: IntentCall, terms: Terms, given: string): CallIntents => {
    const each = call.requests.map((request, at) => {
      // The first request is what the call is about; alone it says no more than the call does.
      if (call.requests.length === 1 || (at === 0 && given !== OTHER)) return null;
      const own = requestTerms([request]);
      const placed = own.weights.size === 0 ? null : model.place(own);
      return placed !== null && placed.sure >= SURE ? placed.slug : null;
    });
    const intent = given === OTHER ? (each.find((slug) => slug !== null) ?? OTHER) : given;
    const sub = below.get(intent)?.find((one) => Object.keys(one.terms).some((term) => terms.weights.has(term)));
    let last = intent;
    const requestIntents = each.map((slug, at) => {
      if (at > 0 && slug !== null) last = slug;
      return last;
    });
    return { intent, useCase: parents.get(intent) ?? intent, subUseCase: sub?.slug ?? null, requestIntents };
  };
  return { model, callIntents };
}

/** Adds the calls to the counts, and makes the rows of reserved slugs and of use cases that bear their intent's name. */
export function countCalls(intents: KnownIntent[], byCall: ReadonlyMap<string, CallIntents>): void {
  const rows = new Map(intents.map((one) => [`${one.kind}/${one.slug}`, one]));
  const labelOf = (slug: string) => rows.get(`intent/${slug}`)?.label ?? RESERVED.get(slug) ?? slug;
  const count = (kind: IntentKind, slug: string, parent: string | null) => {
    let row = rows.get(`${kind}/${slug}`);
    if (row === undefined) {
      row = { kind, slug, label: labelOf(slug), terms: {}, calls: 0, parent };
      rows.set(`${kind}/${slug}`, row);
      intents.push(row);
    }
    row.calls += 1;
  };
  for (const { intent, useCase, subUseCase } of byCall.values()) {
    count('intent', intent, useCase);
    count('use_case', useCase, null);
    if (subUseCase !== null) count('sub_use_case', subUseCase, intent);
  }
}
