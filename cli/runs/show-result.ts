import { withPatience } from '../patiently.ts';
import { EXIT, Problem, ServerProblem } from '../problem.ts';
import type { Session } from '../session.ts';
import { type ConcludeOptions, conclude } from './conclude.ts';
import { fetchDocument } from './fetch-document.ts';
import { findRun } from './find-run.ts';
import { checkFiles } from './outcome-files.ts';
import { describe, tooLate, waitForRun } from './wait-for-run.ts';

export interface ResultOptions extends ConcludeOptions {
  agent?: string;
  compareTo?: string;
  wait?: boolean;
  /** Seconds. */
  timeout: number;
}

/**
 * `earshot result`: what came of a run, as `earshot run` would have said it.
 * @returns the exit code that the run has; 3 where it is not over.
 */
export async function showResult(session: Session, runId: string, options: ResultOptions): Promise<number> {
  await checkFiles(options, session.json);
  const untilMs = performance.now() + options.timeout * 1000;
  const { agent, run } = await findRun(session, runId, options.agent);
  if (options.wait) {
    const seen = await waitForRun(session, agent.id, run.id, untilMs);
    if (!seen.over) return tooLate(session, seen.run, options.timeout);
  }
  const patient = options.wait ? withPatience(session, untilMs) : session;
  try {
    return await conclude(patient, agent, await fetchDocument(patient, agent.id, run.id, options.compareTo), options);
  } catch (error) {
    if (!(error instanceof ServerProblem) || error.code !== 'run_not_finished') throw error;
    const [stage, counts] = describe(run);
    throw new Problem(
      `Not finished: ${stage}${counts === '' ? '' : `, ${counts}`}. With --wait it waits.`,
      EXIT.notFinished,
    );
  }
}
