import type { Place } from '../signals/signal.ts';
import { type GroupFacts, ownCallsOf } from './facts.ts';
import type { RouteTable } from './nominate-causes.ts';
import { readLeads } from './outcome-cause.ts';
import { routeKey } from './signals-to-issues.ts';

/** Calls that reached each place that calls can reach, by kind and id. */
export type Reached = (place: Pick<Place, 'kind' | 'id'>) => number;

/**
 * What was noticed before the end on calls that ended badly at a step, at places other than the step: laid beside all
 * calls that reached those places. Only tools and steps are such places: what is said of the prompt or the platform
 * holds for calls that never came near the step.
 */
export function routesTo(
  outcome: GroupFacts,
  bad: number,
  groups: readonly GroupFacts[],
  reached: Reached,
): RouteTable[] {
  const shown = new Map<string, { place: Place; calls: number }>();
  for (const group of groups) {
    const key = routeKey(group.code, group.place);
    shown.set(key, { place: group.place, calls: (shown.get(key)?.calls ?? 0) + ownCallsOf(group) });
  }
  const leads = Map.groupBy(readLeads(outcome.causes), ({ code, place }) => routeKey(code, place));
  return [...leads].flatMap(([key, same]): RouteTable[] => {
    const known = shown.get(key);
    const [first] = same;
    if (!first || !known || (known.place.kind !== 'tool' && known.place.kind !== 'node')) return [];
    if (known.place.kind === outcome.place.kind && known.place.id === outcome.place.id) return [];
    const k = Math.min(
      bad,
      known.calls,
      same.reduce((sum, { calls }) => sum + calls, 0),
    );
    const others = Math.max(0, reached(known.place) - known.calls);
    return [
      {
        code: first.code,
        place: known.place,
        with: { k, n: known.calls },
        // Those that ended badly here without it need not have reached the place: this can only hide a difference.
        without: { k: Math.min(others, bad - k), n: others },
      },
    ];
  });
}
