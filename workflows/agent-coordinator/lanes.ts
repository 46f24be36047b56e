import type { RegroupMode } from '../../src/temporal/agent-coordinator.ts';
import { IMPORT_LANES, type ImportLane } from '../../src/temporal/import-calls.ts';
import { timeOfNextPoll } from '../shared/gap-after-failed-polls.ts';
import type { CoordinatorState } from './messages.ts';

/** A wait that a platform asks the backfill for holds polls up too, but for no longer than this at a time. */
const POLLS_HELD_AT_MOST_MS = 300_000;

/** All that decides what a coordinator does next. */
export interface Standing
  extends Pick<
    CoordinatorState,
    | 'queue'
    | 'open'
    | 'paused'
    | 'regroupWanted'
    | 'pollWanted'
    | 'analyseWanted'
    | 'heldUntilMs'
    | 'failedPolls'
    | 'lastPollMs'
  > {
  /** Null: not at all. */
  pollSeconds: number | null;
  polledByAccount?: boolean;
  nowMs: number;
}

export type Step =
  /** The request at this place of the queue begins in its lane. */
  | { do: 'import'; lane: ImportLane; at: number }
  /** Ask after an import that may have been lost. */
  | { do: 'look'; lane: ImportLane }
  | { do: 'group'; mode: RegroupMode }
  | { do: 'poll' }
  | { do: 'analyse' }
  | Wait;

/** Until when (null: until it is called), and for what. */
export interface Wait {
  do: 'wait';
  untilMs: number | null;
  until: 'poll' | 'allowance' | 'look' | null;
}

/**
 * What may begin now: at most one import in each lane, a poll where the live lane is free, and one piece of the
 * coordinator's own work at a time. A paused coordinator begins nothing, and still asks after what goes on.
 */
export function nextStep(standing: Standing): Step {
  return dueLook(standing) ?? (standing.paused ? null : dueWork(standing)) ?? nextWait(standing);
}

export const isSameWait = (step: Step, wait: Wait) =>
  step.do === 'wait' && step.untilMs === wait.untilMs && step.until === wait.until;

/** When the platform is to be asked for new calls, in milliseconds since 1970; null while nothing is polled. */
export function pollAtMs(standing: Standing): number | null {
  const { open, pollWanted, pollSeconds, failedPolls, lastPollMs, nowMs } = standing;
  if (open.live !== null) return null;
  const atMs = pollWanted ? nowMs : timeOfNextPoll(pollSeconds, failedPolls, lastPollMs);
  return atMs === null ? null : Math.max(atMs, pollsHeldUntilMs(standing));
}

const pollsHeldUntilMs = ({ open, lastPollMs }: Standing) =>
  Math.min(open.backfill?.limitedUntilMs ?? 0, lastPollMs + POLLS_HELD_AT_MOST_MS);

function dueLook({ open, nowMs }: Standing): Step | null {
  const lane = IMPORT_LANES.find((name) => (open[name]?.lookAtMs ?? Number.POSITIVE_INFINITY) <= nowMs);
  return lane === undefined ? null : { do: 'look', lane };
}

function dueWork(standing: Standing): Step | null {
  const { regroupWanted, analyseWanted, heldUntilMs, nowMs } = standing;
  const isDue = (atMs: number | null) => atMs !== null && atMs <= nowMs;
  const started = dueImport(standing);
  if (started) return started;
  if (regroupWanted !== 'none') return { do: 'group', mode: regroupWanted };
  if (isDue(pollAtMs(standing))) return { do: 'poll' };
  return analyseWanted || isDue(heldUntilMs) ? { do: 'analyse' } : null;
}

/** The oldest request whose lane is free. */
function dueImport({ queue, open }: Standing): Step | null {
  for (const [at, { lane = 'backfill' }] of queue.entries()) {
    if (open[lane] === null) return { do: 'import', lane, at };
  }
  return null;
}

function nextWait(standing: Standing): Wait {
  const { open, paused, heldUntilMs } = standing;
  const waits: [Wait['until'], number | null][] = [
    ['poll', paused ? null : pollAtMs(standing)],
    ['allowance', paused ? null : heldUntilMs],
    ...IMPORT_LANES.map((lane): [Wait['until'], number | null] => ['look', open[lane]?.lookAtMs ?? null]),
  ];
  let next: Wait = { do: 'wait', untilMs: null, until: null };
  for (const [until, atMs] of waits) {
    if (atMs !== null && (next.untilMs === null || atMs < next.untilMs)) next = { do: 'wait', untilMs: atMs, until };
  }
  return next;
}
