import type { Order } from './orders.ts';

/** The desk of an agent: one workflow an agent that lets one import and one grouping run at a time. */
export const AGENT_DESK = 'agentDesk';
export const deskId = (agentId: string) => `agent/${agentId}`;

export interface DeskInput {
  agentId: string;
  workspaceId: string;
  /** Null: this agent has no platform to poll (`file`). */
  pollSeconds: number | null;
  carried?: DeskCarried;
}

/** What survives continue-as-new. */
export interface DeskCarried {
  queue: ImportRequest[];
  seenMessages: string[];
  paused: boolean;
  regroupWanted: 'none' | 'incremental' | 'full';
}

export interface ImportRequest {
  importId: string;
  attempt: number;
}

/** Signals of the desk. */
export const DESK_SIGNALS = {
  importRequested: 'importRequested',
  poll: 'poll',
  regroup: 'regroup',
  pause: 'pause',
  goOn: 'goOn',
} as const;

export interface DeskProgress {
  state: 'idle' | 'importing' | 'grouping' | 'paused';
  importId: string | null;
  queued: number;
  waitsFor: string;
}
export const DESK_PROGRESS = 'progress';

/** Ask the desk to run an import whose row exists. */
export function importOrder(desk: DeskInput, request: ImportRequest): Order {
  return {
    workflow: AGENT_DESK,
    workflowId: deskId(desk.agentId),
    action: DESK_SIGNALS.importRequested,
    startArgs: [desk],
    signalArgs: [request],
  };
}
