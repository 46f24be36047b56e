import type { CatalogueEntry } from '../signals/catalogue-entry.ts';
import { wilson } from '../statistics.ts';
import { type DayCalls, type GroupFacts, ownCallsOf } from './facts.ts';
import { NO_DAY } from './ledger.ts';

/** Fewer calls than this are never a pattern. */
export const CONFIRM_CALLS = 3;
/** Whole days, the last one included; calls without a start count on each. */
const WINDOW_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Whether a group is a pattern. Facts are one at three calls; other codes also need the lower 95 % bound of their share
 * to lie above the code's own noise floor, over the 30 days up to some day. What a pattern once was it stays while any
 * call shows it, whenever the calls came in: only their own dates count.
 */
export function isConfirmed(group: GroupFacts, entry: CatalogueEntry): boolean {
  return ownCallsOf(group) > 0 && (isRemembered(group) || confirmedOn(group, entry) !== null);
}

/** What a person or time has acted on is remembered, whatever became of its calls since. All else follows from the calls alone. */
export function isRemembered({ memory }: Pick<GroupFacts, 'memory'>): boolean {
  return memory.confirmed && !memory.withdrawn && memory.status !== 'discovered';
}

/** The day up to which its calls first made it a pattern; null where they never did. */
export function confirmedOn(group: GroupFacts, entry: CatalogueEntry): string | null {
  if (ownCallsOf(group) < CONFIRM_CALLS) return null;
  if (entry.fact) return group.thirdOn ?? NO_DAY;
  return firstSureDay(group.days ?? [], entry.noiseFloor, 0);
}

/** Whether one call fewer that shows it would leave it unconfirmed. */
export function isBarelyConfirmed(group: GroupFacts, entry: CatalogueEntry): boolean {
  if (isRemembered(group) || !isConfirmed(group, entry)) return false;
  if (entry.fact) return ownCallsOf(group) === CONFIRM_CALLS;
  return firstSureDay(group.days ?? [], entry.noiseFloor, 1) === null;
}

/** @param fewer so many of the calls that show it are left out. */
function firstSureDay(days: readonly DayCalls[], noiseFloor: number, fewer: number): string | null {
  const undated = days.filter(({ day }) => day === NO_DAY);
  const dated = days.filter(({ day }) => day !== NO_DAY).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const sum = (list: readonly DayCalls[], of: 'calls' | 'base') => list.reduce((total, day) => total + day[of], 0);
  let [calls, base] = [sum(undated, 'calls') - fewer, sum(undated, 'base')];
  const isSure = () => calls >= CONFIRM_CALLS && wilson({ k: calls, n: Math.max(base, calls) }).lower > noiseFloor;
  if (dated.length === 0) return isSure() ? NO_DAY : null;
  let from = 0;
  for (const last of dated) {
    calls += last.calls;
    base += last.base;
    for (let first = dated[from]; first && daysBetween(first.day, last.day) >= WINDOW_DAYS; first = dated[from]) {
      calls -= first.calls;
      base -= first.base;
      from += 1;
    }
    if (isSure()) return last.day;
  }
  return null;
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** Whether the confirmation rule has to look at days at all. */
export function needsDays(group: GroupFacts, entry: CatalogueEntry): boolean {
  return !entry.fact && ownCallsOf(group) >= CONFIRM_CALLS && !isRemembered(group);
}
