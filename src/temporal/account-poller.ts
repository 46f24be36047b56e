import type { PlatformWait } from './failures.ts';
import type { SignalEntry, SignalWithStartEntry, StartEntry } from './outbox-entry.ts';

/** The poller of a platform account: one workflow a connection, which looks for new calls of all its agents. */
export const ACCOUNT_POLLER = 'accountPoller';
export const pollerId = (connectionId: string) => `connection/${connectionId}`;

export interface PollerInput {
  workspaceId: string;
  connectionId: string;
  /** Shown to operators in the summary. */
  platform?: string;
  /** Null: not by itself. */
  pollSeconds: number | null;
  carried?: PollerCarried;
}

/** What survives continue-as-new. */
export interface PollerCarried {
  paused: boolean;
  /** Looks in a row that failed. */
  failedPolls: number;
  /** When the last look began, and the last one that read the list to its end (milliseconds since 1970). */
  lastPollMs: number;
  lastWholeMs: number;
  /** Before when the platform is not to be asked; 0 where it may be. */
  waitUntilMs: number;
  /** Asked for and not done yet. */
  pollWanted: boolean;
  /** What fails is something of ours, or what a person has to fix: looks come at growing gaps. */
  isFailing: boolean;
  /** When the last looks back ended (milliseconds since 1970), and how far one is that goes on; left out by earlier releases. */
  lastDayMs?: number;
  lastReachMs?: number;
  lookBack?: LookBack | null;
}

/** A look for calls that the platform listed late: over the last day, or as far as the agents' imports reach. */
export interface LookBack {
  depth: 'day' | 'reach';
  /** Where one goes on that was too long for the look before (ISO 8601); null at its beginning. */
  at: string | null;
}

export interface LookedBack {
  /** Calls that no poll had met. */
  calls: number;
  /** Where the next look goes on; null where it is over. */
  at: string | null;
}

/** Signals of the poller: `pollEvery({"pollSeconds": 60})`, the others without content; each may come twice without harm. */
export const POLLER_SIGNALS = {
  poll: 'poll',
  pollEvery: 'pollEvery',
  pause: 'pause',
  goOn: 'goOn',
} as const;

export interface PollerProgress {
  state: 'idle' | 'waiting' | 'paused';
  waitsFor: string;
  /** What the last look came to, in words; null before the first. */
  lastLook: string | null;
}
export const POLLER_PROGRESS = 'progress';

/** What a look at an account came to. */
export interface AccountLook {
  /** False where the connection or the last of its agents is gone. */
  there: boolean;
  /** Agents whose poll it was. */
  agents: number;
  /** Of those, agents of which an import was ordered, and agents that look by themselves. */
  news: number;
  apart: number;
  /** The platform asks to wait, or gives no answer. */
  wait: PlatformWait | null;
  /** What a person has to fix, in words. */
  refused: string | null;
  /** Left out where it was not asked for. */
  lookedBack?: LookedBack;
}

export const pollerEntry = (poller: PollerInput): StartEntry<typeof ACCOUNT_POLLER, PollerInput> => ({
  kind: 'start',
  workflow: ACCOUNT_POLLER,
  workflowId: pollerId(poller.connectionId),
  input: poller,
});

/** Have the account looked at now; its poller is opened where it is missing. */
export const pollAccountEntry = (poller: PollerInput) => tellPoller(poller, POLLER_SIGNALS.poll, []);

/** Open the poller where it is missing, and have it look as often as it is said here. */
export const pollAccountEveryEntry = (poller: PollerInput) =>
  tellPoller(poller, POLLER_SIGNALS.pollEvery, [{ pollSeconds: poller.pollSeconds }]);

function tellPoller(
  poller: PollerInput,
  signal: string,
  signalArgs: unknown[],
): SignalWithStartEntry<typeof ACCOUNT_POLLER, PollerInput> {
  return { ...pollerEntry(poller), kind: 'signalWithStart', signal, signalArgs };
}

/** A poller that is open looks no more by itself; nobody is told where none is. */
export const restPollerEntry = (connectionId: string): SignalEntry<typeof ACCOUNT_POLLER> => ({
  kind: 'signal',
  workflow: ACCOUNT_POLLER,
  workflowId: pollerId(connectionId),
  signal: POLLER_SIGNALS.pollEvery,
  signalArgs: [{ pollSeconds: null }],
});
