import { percent } from '../issues/sentences.ts';
import { share, wilson, Z_95 } from '../statistics.ts';

/** Verdicts of one watch: calls on which it did not hold, out of those on which it could be told. */
export interface Broken {
  broken: number;
  of: number;
}

/** The calls of the last days, and those of the days before them. */
export interface RecentAndPast {
  /** The newest day, `YYYY-MM-DD`. */
  day: string;
  /** How many days are recent, the newest included. */
  days: number;
  recent: Broken;
  past: Broken;
}

/** What a person bears at most: so many calls, or such a share of them, over so many days. */
export type AlarmLimit = { days: number; breaks: number } | { days: number; share: number };

export interface FailingWatch extends RecentAndPast {
  /** The lower bound of how many times more often it fails than before. */
  growthLower: number;
  /** The limit that was reached; left out where it is the growth that tells. */
  limit?: AlarmLimit;
}

/** One day sees what breaks at once and often, seven see what breaks on few calls a day. */
export const RECENT_DAYS = [1, 7] as const;
/** Days that a limit may be over. */
export const MOST_DAYS = 28;
/** Days before the recent ones that are its past. */
export const PAST_DAYS = 28;
const BROKEN_CALLS = 5;
const PAST_CALLS = 50;
const GROWTH = 1.5;
/** Of each single look 3 in 100,000: every call is another look at the same question. */
const Z = 4;
const CALLS_TO_BE_OVER = 10;

export const FAILING_RULE =
  'A live watch fails when, over its newest day or its newest 7 days, at least 5 calls break it and the lower bound of how many times more often they do so than in the 28 days before (Wilson, z = 4, because every call is another look) is above 1.5. The past must hold at least 50 calls. It also fails once it reaches the limit that a person set.';

/** Whether a window reaches the limit that a person set, however long it has been so. */
export function reaches(limit: AlarmLimit, { recent }: Pick<RecentAndPast, 'recent'>): boolean {
  if ('breaks' in limit) return recent.broken >= limit.breaks;
  return recent.of >= CALLS_TO_BE_OVER && share(recent.broken, recent.of) >= limit.share;
}

/** @param over the window of the limit. */
export function findReached(limit: AlarmLimit, over: RecentAndPast): FailingWatch | null {
  return reaches(limit, over) ? { ...over, growthLower: 0, limit } : null;
}

/** The first of the windows in which the watch fails clearly more than in its own past; null where it does in none. */
export function findFailing(windows: readonly RecentAndPast[]): FailingWatch | null {
  for (const window of windows) {
    const { recent, past } = window;
    if (recent.broken < BROKEN_CALLS || past.of < PAST_CALLS) continue;
    const growthLower = lowerGrowth(recent, past, Z);
    if (growthLower > GROWTH) return { ...window, growthLower };
  }
  return null;
}

/** Whether what failed is over, seen over the days of its limit, else on the newest day: a later day with enough calls that don't break it more often than the past of then. */
export function isOver(failing: FailingWatch, { day, recent }: Pick<RecentAndPast, 'day' | 'recent'>): boolean {
  if (failing.limit) return day > failing.day && !reaches(failing.limit, { recent });
  if (day <= failing.day || recent.of < CALLS_TO_BE_OVER) return false;
  const { past } = failing;
  const isUsual = share(recent.broken, recent.of) <= share(past.broken, past.of) * GROWTH;
  return isUsual || lowerGrowth(recent, past, Z_95) <= 1;
}

/**
 * Under equal rates the recent days' share of all broken calls is their share of all calls; Wilson's lower bound of that
 * share gives the lower bound of the growth.
 */
function lowerGrowth(recent: Broken, past: Broken, z: number): number {
  const { lower } = wilson({ k: recent.broken, n: recent.broken + past.broken }, z);
  return (lower / (1 - lower)) * (past.of / recent.of);
}

/** What happened, in words. */
export function failingSentence({ days, day, recent, past, limit }: FailingWatch): string {
  const when = days === 1 ? `On ${day}` : `In the ${days} days up to ${day}`;
  if (limit)
    return `${when} it did not hold on ${recent.broken} of ${recent.of} calls. Its limit is ${limitInWords(limit)}.`;
  return `${when} it did not hold on ${recent.broken} of ${recent.of} calls; in the 28 days before on ${past.broken} of ${past.of}.`;
}

export function limitInWords(limit: AlarmLimit): string {
  const when = limit.days === 1 ? 'a day' : `${limit.days} days`;
  if ('share' in limit) return `${percent(limit.share)} of the calls in ${when}, once there are ${CALLS_TO_BE_OVER}`;
  return `${limit.breaks} ${limit.breaks === 1 ? 'call' : 'calls'} in ${when}`;
}

/** That a problem is over, in words. */
export function recoveredSentence(
  failing: FailingWatch,
  { day, recent }: Pick<RecentAndPast, 'day' | 'recent'>,
): string {
  const when = failing.limit && failing.days > 1 ? `In the ${failing.days} days up to ${day}` : `On ${day}`;
  return `${when} it held on ${recent.of - recent.broken} of ${recent.of} calls. It had failed since ${failing.day}.`;
}
