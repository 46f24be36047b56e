import type { ImportLane, ImportRequestKey } from './import-calls.ts';
import type { SignalWithStartEntry, StartEntry } from './outbox-entry.ts';

/** The coordinator of an agent: one workflow an agent that lets a live import and a backfill run side by side. */
export const AGENT_COORDINATOR = 'agentCoordinator';
/** What it was called before: those that run under this name end when they continue as new, under the other. */
export const AGENT_COORDINATOR_BEFORE = 'agentDesk';
export const coordinatorId = (agentId: string) => `agent/${agentId}`;

export interface CoordinatorInput {
  agentId: string;
  workspaceId: string;
  /** Shown to operators in the summary; the id alone where it is not given. */
  agentName?: string;
  /** Null: it looks at the platform only when it is told to. */
  pollSeconds: number | null;
  /** The poller of its account looks for all agents of that. */
  polledByAccount?: boolean;
  carried?: CoordinatorCarried;
}

/** What survives continue-as-new. */
export interface CoordinatorCarried {
  queue: ImportRequest[];
  /** Ids of messages that were taken, newest last, at most `SEEN_MESSAGES_MAX`. */
  seenMessages: string[];
  paused: boolean;
  regroupWanted: RegroupMode | 'none';
  /** Polls in a row that failed; each doubles the gap to the next (`timeOfNextPoll`). */
  failedPolls: number;
  /** Calls may wait that nothing holds back any more. */
  analyseWanted?: boolean;
  /** When calls that wait for the plan's allowance may be tried again, in milliseconds since 1970; null where none wait. */
  heldUntilMs?: number | null;
  /** Imports that go on. */
  open?: OpenImports;
  /** When the last poll ended, in milliseconds since 1970. */
  lastPollMs?: number;
}

/** An import that the coordinator has started and that has not ended as far as it knows. */
export interface OpenImport extends ImportRequestKey {
  /** The coordinator's own, and not one that somebody asked for. */
  isPoll: boolean;
  /** When to ask whether it goes on, in milliseconds since 1970; null while Temporal itself would tell of its end. */
  lookAtMs: number | null;
  /** How its workflow ended without a word of its own; null where nothing is known of that. */
  lostFor: string | null;
  /** What it waits for, in words, or null. */
  waitsFor: string | null;
  /** Until when its platform asked for no more requests, in milliseconds since 1970, or null. */
  limitedUntilMs: number | null;
  /** As the last poll found them. */
  counts: { stored: number; analysed: number } | null;
}
export type OpenImports = Record<ImportLane, OpenImport | null>;

export const SEEN_MESSAGES_MAX = 500;

export type RegroupMode = 'incremental' | 'full';

/** Without a lane, as earlier releases asked, it is a backfill. */
export interface ImportRequest extends ImportRequestKey {
  lane?: ImportLane;
}

/** Every message but an import request, which is its own id, carries one, so that a message that comes twice counts once. */
export interface CoordinatorMessage {
  messageId: string;
}

export interface RegroupRequest extends CoordinatorMessage {
  mode: RegroupMode;
}

/**
 * Signals of the coordinator: `importRequested(ImportRequest)`, `importWaits(ImportWaits)`, `importEnded(ImportEnded)`,
 * `regroup(RegroupRequest)`, `pollEvery(PollEvery)`, the others `(CoordinatorMessage?)`.
 */
export const COORDINATOR_SIGNALS = {
  importRequested: 'importRequested',
  /** Its imports report: what they wait for, and that they have ended. */
  importWaits: 'importWaits',
  importEnded: 'importEnded',
  poll: 'poll',
  regroup: 'regroup',
  /** Analyse what waits: the plan of the workspace grew. */
  analyse: 'analyse',
  /** How often to poll from now on (`PollEvery`): what the worker that opened the coordinators is set to. */
  pollEvery: 'pollEvery',
  pause: 'pause',
  goOn: 'goOn',
} as const;

export interface PollEvery {
  /** Null: not at all. */
  pollSeconds: number | null;
  polledByAccount?: boolean;
}

export interface CoordinatorProgress {
  state: 'idle' | 'importing' | 'analysing' | 'grouping' | 'paused';
  /** Of the backfill where both lanes have one. */
  importId: string | null;
  queued: number;
  waitsFor: string;
  /** Each lane in words; not told by coordinators with one lane. */
  lanes?: Record<ImportLane, string>;
}
export const COORDINATOR_PROGRESS = 'progress';

/** A message to the coordinator, which is opened first where it is missing. */
type CoordinatorEntry = SignalWithStartEntry<typeof AGENT_COORDINATOR, CoordinatorInput>;

function tellCoordinator(
  coordinator: CoordinatorInput,
  signal: keyof typeof COORDINATOR_SIGNALS,
  message: object,
): CoordinatorEntry {
  return {
    kind: 'signalWithStart',
    workflow: AGENT_COORDINATOR,
    workflowId: coordinatorId(coordinator.agentId),
    input: coordinator,
    signal,
    signalArgs: [message],
  };
}

/** Open the coordinator where it is missing. */
export function coordinatorEntry(
  coordinator: CoordinatorInput,
): StartEntry<typeof AGENT_COORDINATOR, CoordinatorInput> {
  return {
    kind: 'start',
    workflow: AGENT_COORDINATOR,
    workflowId: coordinatorId(coordinator.agentId),
    input: coordinator,
  };
}

/** Ask the coordinator to run an import whose row exists. */
export const importEntry = (coordinator: CoordinatorInput, request: ImportRequest) =>
  tellCoordinator(coordinator, COORDINATOR_SIGNALS.importRequested, request);

/** Ask the coordinator to group again; `messageId` makes a second delivery of the same wish harmless. */
export const regroupEntry = (coordinator: CoordinatorInput, request: RegroupRequest) =>
  tellCoordinator(coordinator, COORDINATOR_SIGNALS.regroup, request);

/** Open the coordinator where it is missing, and have it poll as often as it is said here. */
export const pollEveryEntry = (coordinator: CoordinatorInput) =>
  tellCoordinator(coordinator, COORDINATOR_SIGNALS.pollEvery, {
    pollSeconds: coordinator.pollSeconds,
    ...(coordinator.polledByAccount ? { polledByAccount: true } : {}),
  } satisfies PollEvery);

/** Ask the coordinator to look at its platform now. */
export const pollEntry = (coordinator: CoordinatorInput, message: CoordinatorMessage) =>
  tellCoordinator(coordinator, COORDINATOR_SIGNALS.poll, message);

/** Ask the coordinator to analyse the calls that wait, oldest first, as far as the plan's allowance goes. */
export const analyseEntry = (coordinator: CoordinatorInput, message: CoordinatorMessage) =>
  tellCoordinator(coordinator, COORDINATOR_SIGNALS.analyse, message);
