import { wilson } from '../statistics.ts';

/** Fewest calls of one day that can be a spike. */
export const SPIKE_CALLS = 5;
/** Days before it that the day is measured against, and how much of them there must be to know what is usual. */
export const PAST_DAYS = 28;
const PAST_CALLS = 50;
/** The day's rate must lie this many times above the usual one even at the lower bound. */
const GROWTH = 1.5;
/**
 * One-sided, 3 in 100,000: every call of a day is another look at the same question, and an agent has many issues and
 * many days. Looking after each call of a steady day stays under one false alarm in a thousand issue-days.
 */
const Z = 4;

/** Calls of one issue on one day and in the days before it, each with the calls on which it could be computed. */
export interface DayAndPast {
  /** `YYYY-MM-DD`. */
  day: string;
  calls: number;
  of: number;
  pastCalls: number;
  pastOf: number;
}

export interface Spike extends DayAndPast {
  /** The day's rate over the usual one; null where the past shows none. */
  growth: number | null;
  /** Its lower bound. */
  growthLower: number;
}

/**
 * Whether an issue is far more common on a day than in the 28 days before. Under equal rates the day's share of all its
 * calls is the day's share of all calls; Wilson's lower bound of that share gives the lower bound of the growth.
 */
export function findSpike(facts: DayAndPast): Spike | null {
  const { calls, of, pastCalls, pastOf } = facts;
  if (calls < SPIKE_CALLS || pastOf < PAST_CALLS || of < calls) return null;
  const { lower } = wilson({ k: calls, n: calls + pastCalls }, Z);
  const growthLower = (lower / (1 - lower)) * (pastOf / of);
  if (growthLower <= GROWTH) return null;
  const growth = pastCalls === 0 ? null : calls / of / (pastCalls / pastOf);
  return { ...facts, growth, growthLower };
}

export const SPIKE_RULE =
  'A day on which at least 5 calls show it, and on which the lower bound of its growth (Wilson, z = 4, because every call is another look) over the 28 days before is above 1.5.';
