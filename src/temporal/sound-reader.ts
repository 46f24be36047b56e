import type { SignalWithStartEntry } from './outbox-entry.ts';

/** Hears the recordings of an agent's calls: one workflow an agent that goes on while some wait. */
export const SOUND_READER = 'soundReader';
export const soundReaderId = (agentId: string) => `sound/${agentId}`;

export interface SoundReaderInput {
  agentId: string;
  workspaceId: string;
  carried?: SoundCounts;
}

export interface SoundCounts {
  heard: number;
  /** Of which there is no recording, or none that can be heard. */
  unheard: number;
}

export const SOUND_SIGNALS = {
  /** Calls were analysed, whose recordings may be heard. */
  wake: 'wake',
  /** Ends the present wait. */
  tryNow: 'tryNow',
} as const;

/** `waits`: the platform wants no requests for so long, or does not answer. */
export type HearOutcome = { state: 'heard' | 'unheard' | 'gone' } | { state: 'waits'; reason: string; retryMs: number };

/** Tells the agent's reader of recordings that calls wait for it, and starts it where it is not at work. */
export function soundReaderEntry(input: SoundReaderInput): SignalWithStartEntry<typeof SOUND_READER, SoundReaderInput> {
  return {
    kind: 'signalWithStart',
    workflow: SOUND_READER,
    workflowId: soundReaderId(input.agentId),
    input,
    signal: SOUND_SIGNALS.wake,
    signalArgs: [],
  };
}
