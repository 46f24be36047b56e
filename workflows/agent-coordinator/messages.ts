import { defineSignal } from '@temporalio/workflow';
import {
  COORDINATOR_SIGNALS,
  type CoordinatorCarried,
  type CoordinatorMessage,
  type ImportRequest,
  type OpenImport,
  type OpenImports,
  type PollEvery,
  type RegroupMode,
  type RegroupRequest,
  SEEN_MESSAGES_MAX,
} from '../../src/temporal/agent-coordinator.ts';
import type { ImportEnded, ImportWaits } from '../../src/temporal/import-calls.ts';
import { onSignal } from '../shared/handlers.ts';
import { LOOK_GAP_MS, noteEnd, noteWait, openOf } from './open-imports.ts';

/** What the coordinator was told and has not done yet. A message that comes twice counts once, also over continue-as-new. */
export interface CoordinatorState {
  queue: ImportRequest[];
  /** What goes on in each lane. */
  open: OpenImports;
  paused: boolean;
  regroupWanted: RegroupMode | 'none';
  pollWanted: boolean;
  /** Calls may wait that nothing holds back any more. */
  analyseWanted: boolean;
  /** When calls that wait for the plan's allowance are tried again; null where none wait. */
  heldUntilMs: number | null;
  failedPolls: number;
  /** When the last poll ended, or the first of the coordinator's executions began, in milliseconds since 1970. */
  lastPollMs: number;
  /** Undefined: as the coordinator was opened. Null: not at all. */
  pollSeconds: number | null | undefined;
  /** Undefined: as the coordinator was opened. */
  polledByAccount: boolean | undefined;
  /** What went wrong last and nobody has fixed, in words. */
  trouble: string | null;
  /** Messages of this execution, and how often its imports were found otherwise than before. */
  messages: number;
  changes: number;
  wantRegroup(mode: RegroupMode): void;
  /** An import that the coordinator made itself: a later request for it is one that came twice. */
  took(request: ImportRequest): void;
  carried(): CoordinatorCarried;
}

export function listenForMessages(carried: CoordinatorCarried | undefined): CoordinatorState {
  const seen = new Set(carried?.seenMessages);
  const state: CoordinatorState = {
    queue: [...(carried?.queue ?? [])],
    open: { live: carriedOn(carried?.open?.live), backfill: carriedOn(carried?.open?.backfill) },
    paused: carried?.paused ?? false,
    regroupWanted: carried?.regroupWanted ?? 'none',
    pollWanted: false,
    analyseWanted: carried?.analyseWanted ?? false,
    heldUntilMs: carried?.heldUntilMs ?? null,
    failedPolls: carried?.failedPolls ?? 0,
    lastPollMs: carried?.lastPollMs ?? Date.now(),
    pollSeconds: undefined,
    polledByAccount: undefined,
    trouble: null,
    messages: 0,
    changes: 0,
    wantRegroup(mode) {
      if (state.regroupWanted !== 'full') state.regroupWanted = mode;
    },
    took(request) {
      seen.add(idOf(request));
    },
    carried: () => ({
      queue: state.queue,
      seenMessages: [...seen].slice(-SEEN_MESSAGES_MAX),
      paused: state.paused,
      regroupWanted: state.regroupWanted,
      failedPolls: state.failedPolls,
      analyseWanted: state.analyseWanted,
      heldUntilMs: state.heldUntilMs,
      open: state.open,
      lastPollMs: state.lastPollMs,
    }),
  };

  function once(messageId: string | undefined, act: () => void): void {
    state.messages += 1;
    if (messageId !== undefined && seen.has(messageId)) return;
    if (messageId !== undefined) seen.add(messageId);
    act();
  }
  onSignal(
    defineSignal<[ImportRequest]>(COORDINATOR_SIGNALS.importRequested),
    'Queues an import whose row exists.',
    (request) => once(idOf(request), () => state.queue.push(request)),
  );
  onSignal(
    defineSignal<[ImportWaits]>(COORDINATOR_SIGNALS.importWaits),
    'An import tells what it waits for.',
    async (waits) => {
      state.messages += 1;
      await noteWait(state, waits);
    },
  );
  onSignal(
    defineSignal<[ImportEnded]>(COORDINATOR_SIGNALS.importEnded),
    'An import tells that it has ended.',
    (end) => {
      state.messages += 1;
      // Of those that this execution has begun, Temporal itself tells.
      if (openOf(state, end)?.lookAtMs !== null) noteEnd(state, end);
    },
  );
  onSignal<[RegroupRequest?]>(
    defineSignal(COORDINATOR_SIGNALS.regroup),
    'Groups the signals into issues again.',
    (request) => once(request?.messageId, () => state.wantRegroup(request?.mode ?? 'incremental')),
  );
  onSignal<[CoordinatorMessage?]>(
    defineSignal(COORDINATOR_SIGNALS.poll),
    'Looks for new calls at the platform now.',
    (message) =>
      once(message?.messageId, () => {
        state.pollWanted = true;
      }),
  );
  onSignal(
    defineSignal<[PollEvery]>(COORDINATOR_SIGNALS.pollEvery),
    'Polls this often from now on: {"pollSeconds": 60}.',
    ({ pollSeconds, polledByAccount = false }) =>
      once(undefined, () => {
        Object.assign(state, { pollSeconds, polledByAccount });
      }),
  );
  onSignal<[CoordinatorMessage?]>(
    defineSignal(COORDINATOR_SIGNALS.analyse),
    'Analyses calls that wait for the allowance.',
    (message) =>
      once(message?.messageId, () => {
        state.analyseWanted = true;
      }),
  );
  onSignal<[CoordinatorMessage?]>(
    defineSignal(COORDINATOR_SIGNALS.pause),
    'Begins nothing more until it may go on.',
    (message) =>
      once(message?.messageId, () => {
        state.paused = true;
      }),
  );
  onSignal<[CoordinatorMessage?]>(
    defineSignal(COORDINATOR_SIGNALS.goOn),
    'Lets a paused coordinator go on.',
    (message) =>
      once(message?.messageId, () => {
        state.paused = false;
      }),
  );
  return state;
}

/** Temporal tells an execution only of the ends of what it has started itself. */
const carriedOn = (open: OpenImport | null | undefined): OpenImport | null =>
  open ? { ...open, lookAtMs: Date.now() + LOOK_GAP_MS } : null;

const idOf = ({ importId, attempt }: ImportRequest) => `import/${importId}/${attempt}`;
