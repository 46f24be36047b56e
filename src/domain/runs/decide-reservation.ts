import { coveredCells } from '../limits/run-cost.ts';
import type { RunDecision, RunTrigger } from '../vocabulary.ts';
import {
  approvedMessage,
  type Coverage,
  coverageMessage,
  overBudgetMessage,
  uncoveredMessage,
} from './run-messages.ts';

/** A run as it asks for its budget. */
export interface RunToReserve {
  trigger: RunTrigger;
  /** What a person decided about it, or null. */
  decision: RunDecision | null;
  /** How a person approved it: whole, or what the budget covers. */
  approvalMode: 'all' | 'covered' | null;
  /** That can be played. */
  cellsRequested: number;
  cellsRunnable: number;
  cellsDone: number;
  message: string | null;
  /** What is said beside the message all along. */
  note: string | null;
}

export type ReservationDecision =
  | { state: 'refused'; message: string }
  /** A person is to approve it; the budget covers so many cells. */
  | { state: 'wait'; cells: number; message: string }
  | { state: 'hold'; cells: number; nanoUsd: number; message: string | null };

/**
 * What a play of a run may hold back. The run itself takes what its budget covers, or all of it where a person said so;
 * an automatic one that is not covered waits for a person first. A second try of its errors is covered whole or not at all.
 * @param play 1 for the run itself, more for second tries
 * @param budget the tightest one, with what it has left; null: none has a limit
 * @param waitsUntil until when a person may approve it (ISO 8601)
 */
export function decideReservation(
  run: RunToReserve,
  play: number,
  budget: { of: Coverage['of']; leftNanoUsd: number | null } | null,
  cellNanoUsd: number,
  waitsUntil: string,
): ReservationDecision {
  const isRetry = play > 1;
  const left = budget?.leftNanoUsd ?? null;
  const wanted = isRetry ? run.cellsRunnable - run.cellsDone : run.cellsRequested;
  const fits = run.approvalMode === 'all' ? wanted : coveredCells(left, cellNanoUsd, wanted);
  const coverage: Coverage = { wanted, fits, cellNanoUsd, leftNanoUsd: left ?? 0, of: budget?.of ?? 'agent' };
  if (fits < wanted && run.trigger === 'auto' && run.decision === null && !isRetry) {
    return { state: 'wait', cells: fits, message: noted(overBudgetMessage(coverage, waitsUntil), run) };
  }
  if (fits === 0 || (isRetry && fits < wanted)) return { state: 'refused', message: uncoveredMessage(coverage) };
  const words = run.approvalMode === 'all' && budget !== null ? approvedMessage : coverageMessage;
  const message = isRetry ? run.message : noted(words(coverage), run);
  return { state: 'hold', cells: fits, nanoUsd: fits * cellNanoUsd, message };
}

/** What was said of the run when it was made stays beside it. */
const noted = (words: string, { note }: RunToReserve): string => (note === null ? words : `${words} ${note}`);
