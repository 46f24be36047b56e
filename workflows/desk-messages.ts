import { defineSignal, setHandler } from '@temporalio/workflow';
import {
  DESK_SIGNALS,
  type DeskCarried,
  type DeskMessage,
  type ImportRequest,
  type PollEvery,
  type RegroupMode,
  type RegroupRequest,
  SEEN_MESSAGES_MAX,
} from '../src/durable/desk.ts';

/** What the desk was told and has not done yet. A message that comes twice counts once, also over continue-as-new. */
export interface DeskMessages {
  queue: ImportRequest[];
  paused: boolean;
  regroupWanted: RegroupMode | 'none';
  pollWanted: boolean;
  /** Calls may wait that nothing holds back any more. */
  analyseWanted: boolean;
  /** When calls that wait for the plan's allowance are tried again; null where none wait. */
  heldUntilMs: number | null;
  failedPolls: number;
  /** Undefined: as the desk was opened. Null: not at all. */
  pollSeconds: number | null | undefined;
  /** What went wrong last and nobody has mended, in words. */
  trouble: string | null;
  /** Messages of this execution. */
  messages: number;
  wantRegroup(mode: RegroupMode): void;
  /** An import that the desk made itself: a later request for it is one that came twice. */
  took(request: ImportRequest): void;
  carried(): DeskCarried;
}

export function listenAtDesk(carried: DeskCarried | undefined): DeskMessages {
  const seen = new Set(carried?.seenMessages);
  const desk: DeskMessages = {
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
      if (desk.regroupWanted !== 'full') desk.regroupWanted = mode;
    },
    took(request) {
      seen.add(idOf(request));
    },
    carried: () => ({
      queue: desk.queue,
      seenMessages: [...seen].slice(-SEEN_MESSAGES_MAX),
      paused: desk.paused,
      regroupWanted: desk.regroupWanted,
      failedPolls: desk.failedPolls,
      analyseWanted: desk.analyseWanted,
      heldUntilMs: desk.heldUntilMs,
    }),
  };

  function once(messageId: string | undefined, act: () => void): void {
    desk.messages += 1;
    if (messageId !== undefined && seen.has(messageId)) return;
    if (messageId !== undefined) seen.add(messageId);
    act();
  }
  setHandler(defineSignal<[ImportRequest]>(DESK_SIGNALS.importRequested), (request) =>
    once(idOf(request), () => desk.queue.push(request)),
  );
  setHandler(defineSignal<[RegroupRequest?]>(DESK_SIGNALS.regroup), (request) =>
    once(request?.messageId, () => desk.wantRegroup(request?.mode ?? 'incremental')),
  );
  setHandler(defineSignal<[DeskMessage?]>(DESK_SIGNALS.poll), (message) =>
    once(message?.messageId, () => {
      desk.pollWanted = true;
    }),
  );
  setHandler(defineSignal<[PollEvery]>(DESK_SIGNALS.pollEvery), ({ pollSeconds }) =>
    once(undefined, () => {
      desk.pollSeconds = pollSeconds;
    }),
  );
  setHandler(defineSignal<[DeskMessage?]>(DESK_SIGNALS.analyse), (message) =>
    once(message?.messageId, () => {
      desk.analyseWanted = true;
    }),
  );
  setHandler(defineSignal<[DeskMessage?]>(DESK_SIGNALS.pause), (message) =>
    once(message?.messageId, () => {
      desk.paused = true;
    }),
  );
  setHandler(defineSignal<[DeskMessage?]>(DESK_SIGNALS.goOn), (message) =>
    once(message?.messageId, () => {
      desk.paused = false;
    }),
  );
  return desk;
}

const idOf = ({ importId, attempt }: ImportRequest) => `import/${importId}/${attempt}`;
