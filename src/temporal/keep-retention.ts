import type { SignalWithStartEntry, StartEntry } from './outbox-entry.ts';

/** One workflow for the whole installation: removes what is kept no longer, agent by agent, once a day. */
export const KEEP_RETENTION = 'keepRetention';
export const RETENTION_ID = 'retention';

/** The agent that a pass has come to the end of. */
export interface RetentionCursor {
  workspaceId: string;
  agentId: string;
}

export interface RetentionInput {
  /** A pass that an earlier execution began; left out at the beginning of one. */
  pass?: { after: RetentionCursor | null; figures: RetentionFigures };
}

export interface RetentionFigures {
  payloads: number;
  transcripts: number;
  calls: number;
  /** Agents on which it failed: the next pass tries them again. */
  failed: number;
}

/** What one step of a pass removed, and the agent after which it goes on; null: from the first. */
export interface RetentionStep extends RetentionFigures {
  after: RetentionCursor | null;
  /** All agents were looked at. */
  over: boolean;
  /** The kind of the last failure. */
  failure: string | null;
}

/** `changed`: a setting was changed, so that what is due may be due now. */
export const RETENTION_SIGNALS = { changed: 'changed' } as const;

export interface RetentionProgress extends RetentionFigures {
  stage: 'removing' | 'waiting';
}
export const RETENTION_PROGRESS = 'progress';

const RETENTION = { workflow: KEEP_RETENTION, workflowId: RETENTION_ID, input: {} } as const;

/** The first pass comes a day later: after an upgrade there is time to say that something is to be kept for longer. */
export function startRetentionEntry(): StartEntry<typeof KEEP_RETENTION, RetentionInput> {
  return { ...RETENTION, kind: 'start', startDelay: '1 day' };
}

/** Begins a pass at once. */
export function retentionEntry(): SignalWithStartEntry<typeof KEEP_RETENTION, RetentionInput> {
  return { ...RETENTION, kind: 'signalWithStart', signal: RETENTION_SIGNALS.changed, signalArgs: [] };
}
