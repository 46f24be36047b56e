import type { RunDecision } from '../domain/vocabulary.ts';
import type { Order } from './orders.ts';

/** Tests played against one version: `run/<runId>`, used once. */
export const RUN_TESTS = 'runTests';
export const runWorkflowId = (runId: string) => `run/${runId}`;

export interface RunInput {
  runId: string;
  agentId: string;
  workspaceId: string;
  /** Shown to operators in the summary; the id alone where it is not given. */
  agentName?: string;
}

export type RunStage = 'reserving' | 'waiting for approval' | 'playing' | 'scoring' | 'finishing' | 'ended';

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

/** At most so many cells in one child: `run/<runId>/cells/<n>`. */
export const CELLS_OF_A_CHILD = 50;
export const PLAY_CELLS = 'playCells';
export const cellsWorkflowId = (runId: string, part: number) => `run/${runId}/cells/${part}`;

/** One cell as the workflows know it: no text. */
export interface CellKey {
  testId: string;
  persona: string;
}

export interface PlayCellsInput extends RunInput {
  part: number;
  cells: CellKey[];
}

/** One attempt as the activities know it. */
export interface AttemptKey extends CellKey {
  workspaceId: string;
  agentId: string;
  runId: string;
  /** 1, 2 or 3. */
  attempt: number;
}

/** Every stored attempt scored again from its transcript: `rescore/<runId>/<n>`. */
export const RESCORE_RUN = 'rescoreRun';
export const rescoreWorkflowId = (runId: string, nth: number) => `rescore/${runId}/${nth}`;

export interface RescoreInput extends RunInput {
  /** From 1. */
  nth: number;
}

export function runOrder(input: RunInput): Order {
  return {
    workflow: RUN_TESTS,
    workflowId: runWorkflowId(input.runId),
    action: 'start',
    startArgs: [input],
    signalArgs: [],
  };
}

export function rescoreOrder(input: RescoreInput): Order {
  return {
    workflow: RESCORE_RUN,
    workflowId: rescoreWorkflowId(input.runId, input.nth),
    action: 'start',
    startArgs: [input],
    signalArgs: [],
  };
}
