import type { GracePlan } from '../domain/issues/grace-plan.ts';
import type { SignalWithStartEntry, StartEntry } from './outbox-entry.ts';

/** One workflow an agent: sleeps until the earliest of its open issues may be resolved. */
export const GRACE = 'graceOfAgent';
export const graceId = (agentId: string) => `grace/${agentId}`;

export interface GraceInput {
  agentId: string;
  workspaceId: string;
  agentName?: string;
  waits?: GraceWaits;
}

export interface GraceWaits {
  /** Shortest sleep: a clock that runs ahead of the database's looks again this late, and not at once. */
  shortestMs: number;
  /** Longest sleep, after which the plan is read anew. */
  longestMs: number;
}

export const GRACE_WAITS: GraceWaits = { shortestMs: 1_000, longestMs: 90 * 86_400_000 };

/** `moved`: evidence, a person or a setting moved a date. It has no content, so twice is as good as once. */
export const GRACE_SIGNALS = { moved: 'moved' } as const;

/** What a look at the issues found, and the database's time at which it looked. */
export interface GraceLook {
  /** False where the agent is gone: there is nothing to wait for. */
  there: boolean;
  now: string;
  changed: number;
  plan: GracePlan;
}

export interface GraceProgress {
  waitsFor: string;
  plan: GracePlan | null;
}
export const GRACE_PROGRESS = 'progress';

/** Wakes the grace workflow of an agent, or starts it. */
export function graceEntry(input: GraceInput): SignalWithStartEntry<typeof GRACE, GraceInput> {
  return {
    kind: 'signalWithStart',
    workflow: GRACE,
    workflowId: graceId(input.agentId),
    input,
    signal: GRACE_SIGNALS.moved,
    signalArgs: [],
  };
}

/** Starts the grace workflow of an agent where it is missing. */
export function startGraceEntry(input: GraceInput): StartEntry<typeof GRACE, GraceInput> {
  return { kind: 'start', workflow: GRACE, workflowId: graceId(input.agentId), input };
}
