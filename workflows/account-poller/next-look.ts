import type { AccountLook } from '../../src/temporal/account-poller.ts';
import { timeOfNextPoll } from '../shared/next-poll.ts';
import type { PollerState } from './messages.ts';

/** After a first failure without a time that the platform named: most are over by then. */
const SOON_MS = 5_000;
/** Time shows in whole milliseconds, and a limit of the platform must be over. */
const AFTER_THE_LIMIT_MS = 250;

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
  { look, startedMs, isWhole }: { look: AccountLook | null; startedMs: number; isWhole: boolean },
): void {
  const { wait = null, refused = null } = look ?? {};
  state.lastPollMs = startedMs;
  const isGood = look !== null && wait === null && refused === null;
  state.failedPolls = isGood ? 0 : state.failedPolls + 1;
  state.isFailing = look === null || refused !== null;
  state.waitUntilMs = wait === null ? 0 : Date.now() + (wait.retryAfterMs ?? SOON_MS) + AFTER_THE_LIMIT_MS;
  if (look === null) return;
  state.last = look;
  state.trouble = refused ?? wait?.message ?? null;
  if (isWhole && isGood) state.lastWholeMs = startedMs;
}
