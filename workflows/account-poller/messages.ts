import { defineSignal } from '@temporalio/workflow';
import {
  type AccountLook,
  POLLER_SIGNALS,
  type PollerCarried,
  type PollerInput,
} from '../../src/temporal/account-poller.ts';
import { onSignal } from '../shared/handlers.ts';
import { offsetOf } from './next-look.ts';

const DAY_MS = 86_400_000;

type PollEvery = Pick<PollerInput, 'pollSeconds'>;

export interface PollerState extends Required<PollerCarried> {
  /** Null: it looks only when it is told to. */
  pollSeconds: number | null;
  last: AccountLook | null;
  /** What went wrong last and nobody has fixed, in words. */
  trouble: string | null;
  /** Messages of this execution. */
  messages: number;
  carried(): PollerCarried;
}

export function listenToPoller({ connectionId, pollSeconds, carried }: PollerInput): PollerState {
  const state: PollerState = {
    paused: false,
    failedPolls: 0,
    // Pollers that are opened together look one after the other.
    lastPollMs: Date.now() - Math.floor(Math.random() * (pollSeconds ?? 0) * 1000),
    lastWholeMs: 0,
    waitUntilMs: 0,
    pollWanted: false,
    isFailing: false,
    lastDayMs: 0,
    // Accounts have their turn at other times of the day.
    lastReachMs: Date.now() - (offsetOf(connectionId) % DAY_MS),
    lookBack: null,
    ...carried,
    pollSeconds,
    last: null,
    trouble: null,
    messages: 0,
    carried: () => {
      const { paused, failedPolls, lastPollMs, lastWholeMs, waitUntilMs, pollWanted, isFailing } = state;
      const { lastDayMs, lastReachMs, lookBack } = state;
      const wholes = { lastWholeMs, lastDayMs, lastReachMs, lookBack };
      return { paused, failedPolls, lastPollMs, ...wholes, waitUntilMs, pollWanted, isFailing };
    },
  };
  const on = (signal: keyof typeof POLLER_SIGNALS, meaning: string, change: (told: PollEvery) => void) =>
    onSignal<[PollEvery]>(defineSignal(POLLER_SIGNALS[signal]), meaning, (told) => {
      state.messages += 1;
      change(told);
    });
  on('poll', 'Looks for new calls of all agents of the account now, and for late ones of the last day.', () => {
    Object.assign(state, { pollWanted: true, failedPolls: 0, waitUntilMs: 0, lastDayMs: 0 });
  });
  on('pollEvery', 'Looks this often from now on: {"pollSeconds": 60}.', ({ pollSeconds: every }) => {
    state.pollSeconds = every;
  });
  on('pause', 'Stops looking until it is resumed; imports and events go on.', () => {
    state.paused = true;
  });
  on('goOn', 'Lets a paused poller go on.', () => {
    state.paused = false;
  });
  return state;
}
