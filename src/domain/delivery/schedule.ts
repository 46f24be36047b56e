import { seededRandom } from '../random.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Gaps after the first, second, … failed try; the last one repeats. */
const GAPS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
];

/** An address to which nothing got through for so long is switched off. */
export const OFF_AFTER_MS = 5 * DAY_MS;

/** A delivery is tried for a little longer, so that its last try is the one that finds its address to be switched off. */
export const TRIED_FOR_MS = OFF_AFTER_MS + HOUR_MS;

/** Longer requests of a receiver count as so long: it may have meant seconds and written milliseconds. */
export const LONGEST_RETRY_AFTER_MS = DAY_MS;

/** Each gap is up to a tenth longer, so that what failed together does not come back together. */
const JITTER = 0.1;

export interface FailedTry {
  deliveryId: string;
  /** Tries of this round, the one that just failed included. */
  tries: number;
  /** When this round began. */
  beganAtMs: number;
  nowMs: number;
  /** How long the receiver asked to be left alone; null where it did not ask. */
  retryAfterMs: number | null;
}

/**
 * How long to wait after a failed try; null where the delivery is given up. The last try comes when its time ends, or as
 * much later as the receiver asked.
 */
export function waitAfter({ deliveryId, tries, beganAtMs, nowMs, retryAfterMs }: FailedTry): number | null {
  const leftMs = beganAtMs + TRIED_FOR_MS - nowMs;
  if (leftMs <= 0) return null;
  const gapMs = GAPS_MS[Math.min(Math.max(tries, 1), GAPS_MS.length) - 1] ?? DAY_MS;
  const wantedMs = Math.round(gapMs * (1 + JITTER * chance(deliveryId, tries)));
  return Math.max(Math.min(wantedMs, leftMs), Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

/** In [0, 1), the same for the same delivery and try on every machine. */
function chance(deliveryId: string, tries: number): number {
  let seed = tries;
  for (const char of deliveryId) seed = (Math.imul(seed, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return seededRandom(seed).next();
}

/** Whether an address that has failed since then, without one success, is to be switched off. */
export function isToBeOff(failingSinceMs: number, nowMs: number): boolean {
  return nowMs - failingSinceMs >= OFF_AFTER_MS;
}
