import { defineSignal } from '@temporalio/workflow';
import {
  COORDINATOR_SIGNALS,
  type CoordinatorCarried,
  type CoordinatorMessage,
  type ImportRequest,
  type PollEvery,
  type RegroupMode,
  type RegroupRequest,
  SEEN_MESSAGES_MAX,
} from '../../src/temporal/agent-coordinator.ts';
import { onSignal } from '../shared/handlers.ts';

/** What the coordinator was told and has not done yet. A message that comes twice counts once, also over continue-as-new. */
export interface CoordinatorState {
  queue: ImportRequest[];
  paused: boolean;
  regroupWanted: RegroupMode | 'none';
  pollWanted: boolean;
  /** Calls may wait that nothing holds back any more. */
  analyseWanted: boolean;
  /** When calls that wait for the plan's allowance are tried again; null where none wait. */
  heldUntilMs: number | null;
  failedPolls: number;
  /** Undefined: as the coordinator was opened. Null: not at all. */
  pollSeconds: number | null | undefined;
  /** What went wrong last and nobody has mended, in words. */
  trouble: string | null;
  /** Messages of this execution. */
  messages: number;
  wantRegroup(mode: RegroupMode): void;
  /** An import that the coordinator made itself: a later request for it is one that came twice. */
  took(request: ImportRequest): void;
  carried(): CoordinatorCarried;
}

export function listenForMessages(carried: CoordinatorCarried | undefined): CoordinatorState {
  const seen = new Set(carried?.seenMessages);
  const state: CoordinatorState = {
    queue: [...(carried?.queue ?? [])],
    paused: carried?.paused ?? false,
    regroupWanted: carried?.regroupWanted ?? 'none',
    pollWanted: false,
    analyseWanted: carried?.analyseWanted ?? false,
    heldUntilMs: carried?.heldUntilMs ?? null,
    failedPolls: carried?.failedPolls ?? 0,
    pollSeconds: undefined,
    trouble: null,
    messages: 0,
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
    ({ pollSeconds }) =>
      once(undefined, () => {
        state.pollSeconds = pollSeconds;
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

const idOf = ({ importId, attempt }: ImportRequest) => `import/${importId}/${attempt}`;
