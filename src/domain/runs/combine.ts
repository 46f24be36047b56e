import type { AttemptResult, CellResult, RunKind } from '../vocabulary.ts';
import type { CellOutcome } from './cell.ts';

/** Attempts of a cell that is repeated, and of each cell of a calibration. */
export const REPEATS = 3;
/** A cell that is not repeated: its first attempt, and once more where that did not pass. */
const TRIES = 2;

export interface CellAttempts {
  kind: RunKind;
  /** 3, or null for a cell that is played again only where it did not pass. */
  repeats: number | null;
  /** Of the attempts that ended, in their order. */
  results: readonly AttemptResult[];
}

export type NextOfCell = { next: 'another' } | { next: 'done'; outcome: CellOutcome };

/**
 * Whether a cell needs another attempt, or what its attempts come to. An attempt that passed beside one that did not is
 * `flaky`, whatever kept the other from passing; without a pass the agent's failure counts before an error, and an error
 * before a caller that drifted.
 */
export function nextOfCell({ kind, repeats, results }: CellAttempts): NextOfCell {
  const isRepeated = kind === 'calibration' || repeats === REPEATS;
  const isSettled = results.length > 0 && (results.every((result) => result === 'passed') || results.length >= TRIES);
  if (isRepeated ? results.length < REPEATS : !isSettled) return { next: 'another' };
  return { next: 'done', outcome: outcomeOf(results) };
}

/** What attempts come to, however many there are: a rescore plays none of them again. */
export function outcomeOf(results: readonly AttemptResult[]): CellOutcome {
  const k = results.filter((result) => result === 'passed').length;
  const n = results.length;
  const result = resultOf(results);
  const reason = result === 'flaky' ? `${k} of ${n} passed.` : null;
  return { result, k, n, reason };
}

function resultOf(results: readonly AttemptResult[]): CellResult {
  if (results.every((result) => result === 'passed')) return 'passed';
  if (results.includes('passed')) return 'flaky';
  if (results.includes('failed')) return 'failed';
  return results.includes('error') ? 'error' : 'drift';
}
