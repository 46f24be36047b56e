import type { CatalogueEntry, CauseRow, CauseTarget } from '../signals/catalogue-entry.ts';
import { knownCause } from '../signals/causes.ts';
import type { Place } from '../signals/signal.ts';
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
  const carried = (code: string) => group.causes.find((cause) => cause.code === code)?.calls ?? 0;
  const describe = (code: string, calls: number): EstablishedCause => {
    const { label, row, target, kind } = knownCause(entry, code);
    return { code, label, calls, of: own, row, target: target ? labelled(target, labels) : group.place, kind };
  };
  const { causeCode, causeEstablished, withdrawn } = group.memory;
  if (causeEstablished && causeCode !== null && !withdrawn && own > 0) {
    const calls = entry.selfCause && causeCode === entry.code ? own : carried(causeCode);
    if (calls >= own * LOST_SHARE) return describe(causeCode, calls);
  }
  const top = byCalls(group.causes)[0];
  if (top && top.calls >= CAUSE_CALLS && top.calls >= own * ESTABLISHED_SHARE) return describe(top.code, top.calls);
  return entry.selfCause && own >= CAUSE_CALLS ? describe(entry.code, own) : null;
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
