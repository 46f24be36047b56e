import type { SignalWithStartEntry } from './outbox-entry.ts';

/** The second reading of an agent's calls, by a model: one workflow an agent that goes on while calls wait for it. */
export const MODEL_READER = 'modelReader';
export const readerId = (agentId: string) => `reader/${agentId}`;

export interface ReaderInput {
  agentId: string;
  workspaceId: string;
  agentName?: string;
  waits?: ReaderWaits;
  carried?: ReaderCounts;
}

export interface ReaderCounts {
  read: number;
  givenUp: number;
}

export interface ReaderWaits {
  /** After a call that the model did not answer; doubles up to `longestMs`. */
  firstMs: number;
  /** Also how long at most before it looks again whether the allowance has room. */
  longestMs: number;
}

export const READER_WAITS: ReaderWaits = { firstMs: 60_000, longestMs: 3_600_000 };

/** Neither has content, and twice is as good as once. */
export const READER_SIGNALS = {
  /** Calls were read by rules and wait for the model. */
  wake: 'wake',
  /** Ends the present wait. */
  tryNow: 'tryNow',
} as const;

/** What became of one call. */
export type ReadOutcome =
  | { state: 'read' }
  /** `trouble`: the model itself is at fault, so that it is better left alone for a while. */
  | { state: 'given up'; reason: string; trouble: boolean }
  /** The model is in trouble, or asks to wait: nothing is asked before that time. `reason` is a sentence. */
  | { state: 'held'; reason: string; until: string }
  /** A bound on what it may cost is reached; null: nor later, unless it grows. Before there were two, it was the allowance. */
  | { state: 'paused'; freeAt: string | null; bound?: 'allowance' | 'agent' };

/** Why no call is read for now, and until when. `reason` is a sentence. */
export interface ReaderWait {
  reason: string;
  until: string;
}

/** `unusable`: the rules' words stay, or it is asked again later, three times in all. */
export interface WordingOutcome {
  state: 'worded' | 'unusable' | 'paused' | 'none';
}

export interface ReaderProgress extends ReaderCounts {
  /** Calls that wait to be read. */
  open: number;
  waitsFor: string | null;
}
export const READER_PROGRESS = 'progress';

type ReaderSignal = (typeof READER_SIGNALS)[keyof typeof READER_SIGNALS];

/** Tells the reader of an agent that calls wait for it, and starts it where it is not at work. */
export function readerEntry(
  input: ReaderInput,
  signal: ReaderSignal = READER_SIGNALS.wake,
): SignalWithStartEntry<typeof MODEL_READER, ReaderInput> {
  return {
    kind: 'signalWithStart',
    workflow: MODEL_READER,
    workflowId: readerId(input.agentId),
    input,
    signal,
    signalArgs: [],
  };
}
