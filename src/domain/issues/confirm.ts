import type { CatalogueEntry } from '../signals/catalogue-entry.ts';
import { wilson } from '../statistics.ts';
import { type GroupFacts, ownCallsOf } from './facts.ts';

/** Fewer calls than this are never a pattern. */
export const CONFIRM_CALLS = 3;

/**
 * Whether a group is a pattern. Facts are one at three calls; other codes also need the lower 95 % bound of their share
 * to lie above the code's own noise floor, over the calls of the last 30 days that reached the place. What was
 * confirmed stays so while any call shows it.
 */
export function isConfirmed(group: GroupFacts, entry: CatalogueEntry): boolean {
  const own = ownCallsOf(group);
  if (own === 0) return false;
  if (group.memory.confirmed && !group.memory.withdrawn) return true;
  if (own < CONFIRM_CALLS) return false;
  if (entry.fact) return true;
  if (group.window === null) return false;
  const { calls, base } = group.window;
  return wilson({ k: calls, n: Math.max(base, calls) }).lower > entry.noiseFloor;
}

/** Whether the confirmation rule has to look at the last 30 days at all. */
export function needsWindow(group: Pick<GroupFacts, 'memory' | 'versions'>, entry: CatalogueEntry): boolean {
  const own = group.versions.reduce((sum, version) => sum + version.ownCalls, 0);
  return own >= CONFIRM_CALLS && !entry.fact && (!group.memory.confirmed || group.memory.withdrawn);
}
