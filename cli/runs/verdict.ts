import { PROGRAM } from '../../src/layout.ts';
import { EXIT } from '../problem.ts';
import { type Cell, failsAsExpected, type RunDocument } from './messages.ts';

export interface Verdict {
  /** 0 passed, 1 did not pass, 2 refused by budget or quota, 3 not finished. */
  exitCode: number;
  /** One sentence, or two. */
  says: string;
}

export interface VerdictOptions {
  /** A flaky test that gates fails the run too. */
  strict?: boolean;
}

/**
 * Whether a pipeline may go on. Nothing undecided counts as passed: a test that gates and has an error, a drifted caller
 * or was not played keeps the run from passing, and so does a run in which nothing was judged.
 */
export function judgeRun(document: RunDocument, { strict = false }: VerdictOptions = {}): Verdict {
  const { status, message, cells } = document;
  const because = message === null ? '' : ` ${message}`;
  if (status === 'refused') return { exitCode: EXIT.refused, says: `Not passed: the run was refused.${because}` };
  if (status === 'failed') return { exitCode: EXIT.failed, says: `Not passed: the run failed.${because}` };
  if (status !== 'complete')
    return { exitCode: EXIT.notFinished, says: `Not finished: the run is ${status}.${because}` };
  const gating = cells.filter((cell) => cell.gates);
  const failed = gating.filter(({ result }) => result === 'failed' || (strict && result === 'flaky'));
  const undecided = gating.filter(({ result }) => result === 'error' || result === 'drift');
  const notRun = gating.filter(({ result }) => result === 'not_run');
  const of = (some: Cell[]) => `${some.length} of ${gating.length} gating ${gating.length === 1 ? 'cell' : 'cells'}`;
  if (failed.length > 0) return { exitCode: EXIT.failed, says: `Not passed: ${of(failed)} failed.` };
  if (undecided.length > 0) return { exitCode: EXIT.failed, says: `Not passed: ${of(undecided)} undecided.${because}` };
  if (notRun.length > 0) return { exitCode: EXIT.refused, says: `Not passed: ${of(notRun)} not played.${because}` };
  if (!cells.some(wasJudged)) return { exitCode: EXIT.failed, says: nothingJudged(cells.length, because) };
  return { exitCode: EXIT.done, says: passed(gating) };
}

/** A required criterion was met or not met; a result without one stands on nothing. */
function wasJudged({ result, criteria }: Cell): boolean {
  const isScored = result === 'passed' || result === 'failed' || result === 'flaky';
  return isScored && criteria.some(({ met }) => met !== null);
}

function nothingJudged(cells: number, because: string): string {
  return `Not passed: ${cells === 0 ? 'the run has no cells' : 'no required criterion was judged'}, and that is never a pass.${because}`;
}

function passed(gating: Cell[]): string {
  if (gating.length === 0)
    return `Passed, but no test gates yet, so the run could not fail: calibrate the tests (${PROGRAM} calibrate).`;
  const flaky = gating.filter(({ result }) => result === 'flaky').length;
  const asExpected = gating.filter(failsAsExpected).length;
  const notes = [
    flaky === 0 ? '' : ` ${flaky} of them only after a retry (flaky).`,
    asExpected === 0
      ? ''
      : ` ${asExpected} of them ${asExpected === 1 ? 'is a known fault that fails' : 'are known faults that fail'} as expected.`,
  ];
  return `Passed: ${gating.length === 1 ? 'the one gating cell' : `all ${gating.length} gating cells`} passed.${notes.join('')}`;
}
