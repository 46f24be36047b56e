import type { RunDecision } from '../domain/vocabulary.ts';
import type { StartEntry, UpdateEntry } from './outbox-entry.ts';

/** Tests played against one version: `run/<runId>`, used once. */
export const RUN_TESTS = 'runTests';
export const runWorkflowId = (runId: string) => `run/${runId}`;

export interface RunInput {
  runId: string;
  agentId: string;
  workspaceId: string;
  /** Shown to operators in the summary; the id alone where it is not given. */
  agentName?: string;
  /** Second tries of errored cells that were asked for before this one, this one included; left out: the run itself. */
  retry?: number;
  /** How long a person may take to approve it. */
  approvalMs?: number;
  /** Its workflow was ended from outside: nothing is played any more, and this is why it failed. */
  ended?: string;
}

/** An automatic run over its budget waits this long for a person. */
export const APPROVAL_MS = 7 * 86_400_000;

/** A second try of the errored cells is a workflow of its own: `run/<runId>/retry/<n>`. */
export const retryWorkflowId = (runId: string, retry: number) => `run/${runId}/retry/${retry}`;
export const workflowIdOfRun = ({ runId, retry = 0, ended }: Pick<RunInput, 'runId' | 'retry' | 'ended'>) =>
  `${retry === 0 ? runWorkflowId(runId) : retryWorkflowId(runId, retry)}${ended === undefined ? '' : '/ended'}`;

/** What a run does next. */
export type RunPlan =
  /** `copy`: one of the version is made first, and played. */
  | { state: 'play'; parts: number[]; total: number; completed: number; atOnce: number; copy?: boolean }
  /** `waitsFor` says for whom, and until when. */
  | { state: 'wait'; ms: number; waitsFor: string }
  | { state: 'refused'; message: string }
  | { state: 'cancelled' }
  /** It has ended before. */
  | { state: 'over' };

export interface PlanRequest extends RunInput {
  /** The time for approving it is over. */
  expired: boolean;
}

/** How a run ends, as its workflow saw it. */
export type RunOutcome =
  | { how: 'played' }
  | { how: 'cancelled' }
  /** The sentence says why. */
  | { how: 'refused' | 'failed'; message: string };

export type RunStage = 'reserving' | 'waiting for approval' | 'playing' | 'finishing' | 'ended';

export interface RunProgress {
  stage: RunStage;
  completed: number;
  total: number;
  waitsFor: string | null;
}
export const RUN_PROGRESS = 'progress';

/** Update: what a person decided, as the run's row has it. Its id is the update's, so that it counts once. */
export const RUN_DECIDE = 'decide';
export interface RunDecided {
  decisionId: string;
  decision: RunDecision;
}

/** At most so many cells in one child: `<id of the run's workflow>/cells/<n>`. */
export const CELLS_OF_A_CHILD = 50;
export const cellsWorkflowId = (input: Pick<RunInput, 'runId' | 'retry'>, part: number) =>
  `${workflowIdOfRun(input)}/cells/${part}`;

/** Signal of a child to its run: how many of its cells have a result. */
export const CELLS_DONE = 'cellsDone';
export interface CellsDone {
  part: number;
  done: number;
}

/** One cell as the workflows know it: no text. */
export interface CellKey {
  testId: string;
  persona: string;
}

/** A cell that is to be played. */
export interface CellToPlay extends CellKey {
  /** The attempt that its result begins with. */
  firstAttempt: number;
}

export interface PlayCellsInput extends RunInput {
  part: number;
  /** Positions of its first cell and of the one after its last, among the cells of the run. */
  from: number;
  to: number;
  /** Attempts of a cell that are played side by side; 1: one after the other, as far as they are needed. */
  atOnce: number;
}

/** Cells that one activity plays: few, so that a run's cells are spread over all workers. */
export const CELLS_OF_A_WINDOW = 5;

export interface CellsWindow extends Pick<PlayCellsInput, 'workspaceId' | 'agentId' | 'runId' | 'atOnce'> {
  cells: CellToPlay[];
}

/** One attempt as the activities know it. */
export interface AttemptKey extends CellKey {
  workspaceId: string;
  agentId: string;
  runId: string;
  /** 1, 2 or 3; more where errors were tried again. */
  attempt: number;
}

/** Every stored attempt scored again from its transcript: `rescore/<runId>/<n>`. */
export const RESCORE_RUN = 'rescoreRun';
export const rescoreWorkflowId = (runId: string, nth: number) => `rescore/${runId}/${nth}`;

export interface RescoreInput extends RunInput {
  /** From 1. */
  nth: number;
  /** What survives continue-as-new: the first cell that is left (of rescores that began before windows, the last attempt), and how many attempts were scored. */
  carried?: { from?: number; afterId?: string; scored: number };
}

/** Some cells of a rescore. */
export interface RescoreWindow extends RescoreInput {
  /** Position of its first cell among those of the run. */
  from: number;
  /** The first position that is not meant. */
  to: number;
}

export function runEntry(input: RunInput): StartEntry<typeof RUN_TESTS, RunInput> {
  return {
    kind: 'start',
    workflow: RUN_TESTS,
    workflowId: workflowIdOfRun(input),
    input,
  };
}

/** What a person decided, brought to the run's workflow; one that has not begun yet is told when it begins. */
export function decideEntry(
  run: Pick<RunInput, 'runId' | 'retry'>,
  decided: RunDecided,
): UpdateEntry<typeof RUN_TESTS> {
  return {
    kind: 'update',
    workflow: RUN_TESTS,
    workflowId: workflowIdOfRun(run),
    update: RUN_DECIDE,
    told: decided,
  };
}

export function rescoreEntry(input: RescoreInput): StartEntry<typeof RESCORE_RUN, RescoreInput> {
  return {
    kind: 'start',
    workflow: RESCORE_RUN,
    workflowId: `${rescoreWorkflowId(input.runId, input.nth)}${input.ended === undefined ? '' : '/ended'}`,
    input,
  };
}
