import type { CatalogueEntry, CauseRow, CauseTarget } from '../signals/catalogue-entry.ts';
import { knownCause } from '../signals/causes.ts';
import type { Place } from '../signals/signal.ts';
import { isRemembered } from './confirm.ts';
import { type GroupFacts, ownCallsOf } from './facts.ts';

/** Fewest calls that carry a cause, and the shares of calls at which it is established, and lost again. */
export const CAUSE_CALLS = 3;
export const ESTABLISHED_SHARE = 2 / 3;
export const LOST_SHARE = 1 / 2;
/** Share of a group's calls from which a second cause is a problem of its own. */
const SPLIT_SHARE = 0.2;

export interface EstablishedCause {
  code: string;
  label: string;
  /** Calls that carry its evidence, of the group's own. */
  calls: number;
  of: number;
  /** The row of the cause table; null for a code that is its own cause. */
  row: CauseRow | null;
  /** Where the cause lies: what has to change. */
  target: Place;
  /** The cause without its variant, which its target tells: two groups with both in common are one change. */
  kind: string;
}

/** What places are called, by kind and id; a cause knows a tool by its id alone. */
export type PlaceLabels = (place: Pick<Place, 'kind' | 'id'>) => string | null;

/**
 * The cause whose evidence holds on at least two thirds of the group's calls and on at least three. One that was
 * established is lost only below one half, so that a few odd calls do not take it away and give it back.
 */
export function establishedCause(
  group: GroupFacts,
  entry: CatalogueEntry,
  labels: PlaceLabels = () => null,
): EstablishedCause | null {
  const own = ownCallsOf(group);
  const describe = (code: string, calls: number): EstablishedCause => {
    const { label, row, target, kind } = knownCause(entry, code);
    return { code, label, calls, of: own, row, target: target ? labelled(target, labels) : group.place, kind };
  };
  const { causeCode, causeEstablished } = group.memory;
  if (causeEstablished && causeCode !== null && isRemembered(group) && own > 0) {
    const carried = group.causes.find(({ code }) => code === causeCode)?.calls ?? 0;
    const calls = entry.selfCause && causeCode === entry.code ? own : carried;
    if (calls >= own * LOST_SHARE) return describe(causeCode, calls);
  }
  const top = byCalls(group.causes)[0];
  if (top && holds(top.calls, own, group.heldCause === top.code)) return describe(top.code, top.calls);
  return entry.selfCause && own >= CAUSE_CALLS ? describe(entry.code, own) : null;
}

function holds(calls: number, own: number, before: boolean): boolean {
  return calls >= CAUSE_CALLS && calls >= own * (before ? LOST_SHARE : ESTABLISHED_SHARE);
}

/** The commonest cause of a group that holds on so many of its calls that it hangs on what came before; else null. */
export function doubtfulCause(group: GroupFacts): string | null {
  const own = ownCallsOf(group);
  const top = byCalls(group.causes)[0];
  return top && holds(top.calls, own, true) && !holds(top.calls, own, false) ? top.code : null;
}

/** Whether a cause was established on some day and never lost since. @param days in their order. */
export function wasHeld(days: readonly { calls: number; withCause: number }[]): boolean {
  let [own, carried, held] = [0, 0, false];
  for (const { calls, withCause } of days) {
    own += calls;
    carried += withCause;
    held = holds(carried, own, held);
  }
  return held;
}

/** Whether one call more or fewer with the evidence would turn it. */
export function isNearCause(group: GroupFacts, cause: EstablishedCause | null): boolean {
  const own = ownCallsOf(group);
  const calls = byCalls(group.causes)[0]?.calls ?? 0;
  if (cause === null) return own >= CAUSE_CALLS && holds(calls + 1, own + 1, false);
  return cause.row !== null && !holds(cause.calls - 1, own, group.heldCause === cause.code);
}

/**
 * Causes of a base group that become groups of their own: beside the commonest one, each with three calls and a fifth
 * of the group. The commonest stays, with the calls of no known cause, and so keeps the key.
 */
export function causesToSplit(group: GroupFacts): string[] {
  if (group.splitCause !== '') return [];
  const own = ownCallsOf(group);
  return byCalls(group.causes)
    .slice(1)
    .filter(({ calls }) => calls >= CAUSE_CALLS && calls >= own * SPLIT_SHARE)
    .map(({ code }) => code);
}

function byCalls(causes: GroupFacts['causes']): GroupFacts['causes'] {
  return causes.toSorted((a, b) => b.calls - a.calls || (a.code < b.code ? -1 : 1));
}

/** A target under the name that signals there know it by. */
export function labelled(target: CauseTarget, labels: PlaceLabels): Place {
  return { ...target, label: target.label ?? labels(target) ?? target.id };
}

/** By the places of groups: every place at which something was noticed has its name. */
export function labelsOf(groups: readonly Pick<GroupFacts, 'place'>[]): PlaceLabels {
  const labels = new Map(groups.map(({ place }) => [`${place.kind} ${place.id}`, place.label]));
  return ({ kind, id }) => labels.get(`${kind} ${id}`) ?? null;
}
