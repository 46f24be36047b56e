import type { AccountLook } from '../../src/temporal/account-poller.ts';
import { timeOfNextPoll } from '../shared/gap-after-failed-polls.ts';
import type { PollerState } from './messages.ts';

/** After a first failure without a time that the platform named: most are over by then. */
const SOON_MS = 5_000;
/** Time shows in whole milliseconds, and a limit of the platform must be over. */
const AFTER_THE_LIMIT_MS = 250;

/** Where within the interval an account is looked at: the same at each start, and another one for each account. */
export const offsetOf = (connectionId: string) => Number.parseInt(connectionId.slice(-7), 16);

/**
 * The last time up to now at which the account's turn came. Counting from there, pollers that an outage had wait together
 * spread over the interval again instead of asking all at once from then on.
 */
export function lastSlotMs(nowMs: number, intervalMs: number, offsetMs: number): number {
  return nowMs - ((((nowMs - offsetMs) % intervalMs) + intervalMs) % intervalMs);
}

type Standing = Pick<
  PollerState,
  'paused' | 'pollWanted' | 'pollSeconds' | 'failedPolls' | 'lastPollMs' | 'waitUntilMs' | 'isFailing'
>;

/** When the account is to be looked at, in milliseconds since 1970; null while it is not. */
export function nextLookAtMs(standing: Standing, nowMs: number): number | null {
  const { paused, pollWanted, pollSeconds, failedPolls, lastPollMs, waitUntilMs, isFailing } = standing;
  if (paused) return null;
  if (pollWanted) return Math.min(nowMs, lastPollMs);
  if (pollSeconds === null) return null;
  // What does not answer is told at the agents by then, whose imports wait for it: the interval stays.
  const atMs = timeOfNextPoll(pollSeconds, isFailing ? failedPolls : 0, lastPollMs) ?? nowMs;
  const soonMs = failedPolls === 1 && waitUntilMs > 0 ? waitUntilMs : atMs;
  return Math.max(Math.min(atMs, soonMs), waitUntilMs);
}

export function takeLook(
  state: PollerState,
  {
    look,
    startedMs,
    isWhole,
    offsetMs,
  }: { look: AccountLook | null; startedMs: number; isWhole: boolean; offsetMs: number | null },
): void {
  const { wait = null, refused = null } = look ?? {};
  const isGood = look !== null && wait === null && refused === null;
  const { pollSeconds } = state;
  const keepsTime = isGood && offsetMs !== null && pollSeconds !== null;
  state.lastPollMs = keepsTime ? lastSlotMs(startedMs, pollSeconds * 1000, offsetMs) : startedMs;
  state.failedPolls = isGood ? 0 : state.failedPolls + 1;
  state.isFailing = look === null || refused !== null;
  state.waitUntilMs = wait === null ? 0 : Date.now() + (wait.retryAfterMs ?? SOON_MS) + AFTER_THE_LIMIT_MS;
  if (look === null) return;
  state.last = look;
  state.trouble = refused ?? wait?.message ?? null;
  if (isWhole && isGood) state.lastWholeMs = startedMs;
}
