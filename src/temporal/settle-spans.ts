import type { SignalWithStartEntry } from './outbox-entry.ts';

/** One workflow an agent that sends spans: waits until its calls are over, and has calls made of them. */
export const SETTLE_SPANS = 'settleSpans';
export const settleId = (agentId: string) => `spans/${agentId}`;

export interface SettleInput {
  agentId: string;
  workspaceId: string;
}

/** `moved`: spans came in that are due sooner. It has no content, so twice is as good as once. */
export const SETTLE_SIGNALS = { moved: 'moved' } as const;

/** What one look at the spans came to, and what lies ahead by the database's clock. */
export interface SettleLook {
  now: string;
  /** When calls are to be made next; null where nothing waits. */
  nextAt: string | null;
  /** Calls that were made of spans this time. */
  calls: number;
  /** Traces that were due and left out, as those of their call hold more than is read at once. */
  leftOut: number;
  /** Traces that wait, and those among them whose call has ended. */
  open: number;
  ended: number;
}

export const SETTLE_PROGRESS = 'progress';

/** Wakes the workflow of an agent, or starts it. */
export function settleEntry(input: SettleInput): SignalWithStartEntry<typeof SETTLE_SPANS, SettleInput> {
  return {
    kind: 'signalWithStart',
    workflow: SETTLE_SPANS,
    workflowId: settleId(input.agentId),
    input,
    signal: SETTLE_SIGNALS.moved,
    signalArgs: [],
  };
}
