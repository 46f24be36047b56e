import { wilson } from '../statistics.ts';

/** An issue out of somebody's sight, for a while. It changes no list. */
export interface Snooze {
  /** Null: until it grows or comes back. */
  untilMs: number | null;
  /** Its rate over the last seven days when the snooze began. */
  rate: number;
}

const GROWTH = 1.5;

/** Why a snooze ends, or null while it goes on. @param week calls that show it, of those on which it could be computed, in the last seven days. */
export function snoozeEnd(
  snooze: Snooze,
  now: { nowMs: number; regressed: boolean; week: { calls: number; of: number } },
): 'time' | 'regressed' | 'grew' | null {
  if (snooze.untilMs !== null && now.nowMs >= snooze.untilMs) return 'time';
  if (now.regressed) return 'regressed';
  const { calls, of } = now.week;
  return calls > 0 && wilson({ k: calls, n: Math.max(of, calls) }).lower > GROWTH * snooze.rate ? 'grew' : null;
}
