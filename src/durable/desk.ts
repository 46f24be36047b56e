import type { ImportRequestKey } from './import.ts';
import type { Order } from './orders.ts';

/** The desk of an agent: one workflow an agent that lets one import and one grouping run at a time. */
export const AGENT_DESK = 'agentDesk';
export const deskId = (agentId: string) => `agent/${agentId}`;

export interface DeskInput {
  agentId: string;
  workspaceId: string;
  /** Shown to operators in the summary; the id alone where it is not given. */
  agentName?: string;
  /** Null: this agent has no platform to poll (`file`). */
  pollSeconds: number | null;
  carried?: DeskCarried;
}

/** What survives continue-as-new. */
export interface DeskCarried {
  queue: ImportRequest[];
  /** Ids of messages that were taken, newest last, at most `SEEN_MESSAGES_MAX`. */
  seenMessages: string[];
  paused: boolean;
  regroupWanted: RegroupMode | 'none';
  /** Polls in a row that failed; each doubles the gap to the next. */
  failedPolls: number;
  /** Calls may wait that nothing holds back any more. */
  analyseWanted?: boolean;
  /** When calls that wait for the plan's allowance may be tried again, in milliseconds since 1970; null where none wait. */
  heldUntilMs?: number | null;
}

export const SEEN_MESSAGES_MAX = 500;

export type RegroupMode = 'incremental' | 'full';

export type ImportRequest = ImportRequestKey;

/** Every message but an import request, which is its own id, carries one, so that a message that comes twice counts once. */
export interface DeskMessage {
  messageId: string;
}

export interface RegroupRequest extends DeskMessage {
  mode: RegroupMode;
}

/** Signals of the desk: `importRequested(ImportRequest)`, `regroup(RegroupRequest)`, the others `(DeskMessage?)`. */
export const DESK_SIGNALS = {
  importRequested: 'importRequested',
  poll: 'poll',
  regroup: 'regroup',
  /** Analyse what waits: the plan of the workspace grew. */
  analyse: 'analyse',
  /** How often to poll from now on (`PollEvery`): what the worker that opened the desks is set to. */
  pollEvery: 'pollEvery',
  pause: 'pause',
  goOn: 'goOn',
} as const;

export interface PollEvery {
  /** Null: not at all. */
  pollSeconds: number | null;
}

export interface DeskProgress {
  state: 'idle' | 'importing' | 'analysing' | 'grouping' | 'paused';
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

/** Ask the desk to group again; `messageId` makes a second delivery of the same wish harmless. */
export function regroupOrder(desk: DeskInput, request: RegroupRequest): Order {
  return {
    workflow: AGENT_DESK,
    workflowId: deskId(desk.agentId),
    action: DESK_SIGNALS.regroup,
    startArgs: [desk],
    signalArgs: [request],
  };
}

/** Open the desk where it is missing, and have it poll as often as it is said here. */
export function pollEveryOrder(desk: DeskInput): Order {
  return {
    workflow: AGENT_DESK,
    workflowId: deskId(desk.agentId),
    action: DESK_SIGNALS.pollEvery,
    startArgs: [desk],
    signalArgs: [{ pollSeconds: desk.pollSeconds } satisfies PollEvery],
  };
}

/** Ask the desk to look at its platform now. */
export function pollOrder(desk: DeskInput, message: DeskMessage): Order {
  return {
    workflow: AGENT_DESK,
    workflowId: deskId(desk.agentId),
    action: DESK_SIGNALS.poll,
    startArgs: [desk],
    signalArgs: [message],
  };
}

/** Ask the desk to analyse the calls that wait, oldest first, as far as the plan's allowance goes. */
export function analyseOrder(desk: DeskInput, message: DeskMessage): Order {
  return {
    workflow: AGENT_DESK,
    workflowId: deskId(desk.agentId),
    action: DESK_SIGNALS.analyse,
    startArgs: [desk],
    signalArgs: [message],
  };
}
