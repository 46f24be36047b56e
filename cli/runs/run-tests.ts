import { randomUUID } from 'node:crypto';
import type { AgentResource } from '../../src/contract/agent.ts';
import type { RunResource } from '../../src/contract/run.ts';
import { requireAgent } from '../choose-agent.ts';
import { withPatience } from '../patiently.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';
import { findPlayed } from './already-played.ts';
import { type ConcludeOptions, conclude } from './conclude.ts';
import { fetchDocument } from './fetch-document.ts';
import { costOf } from './messages.ts';
import { checkFiles } from './outcome-files.ts';
import { type RetryOptions, retryErrors } from './retry-errors.ts';
import { readSelected, type SelectOptions, selectPersonas, selectTests } from './select-tests.ts';
import { startRun } from './start-run.ts';
import { reportUnplayed } from './unplayed-report.ts';
import { tooLate, waitForRun } from './wait-for-run.ts';

export interface RunOptions extends SelectOptions, ConcludeOptions, RetryOptions {
  agent?: string;
  persona?: string[];
  version?: number;
  repeats?: number;
  /** Seconds. */
  timeout: number;
  wait: boolean;
  compareTo?: string;
  ifChanged?: boolean;
  idempotencyKey?: string;
}

const RESULT_WITHIN_MS = 60_000;

/**
 * `earshot run`: plays tests, waits, and writes what came of it.
 * @returns the exit code: see `EXIT`; 0 only where the run passed (or, with `--no-wait`, began).
 */
export async function runTests(session: Session, options: RunOptions): Promise<number> {
  await checkFiles(options, session.json);
  const course: Course = { hasEnded: false, agent: { id: null, name: options.agent ?? 'the agent' } };
  try {
    return await play(session, options, course);
  } catch (error) {
    // A pipeline that collects reports finds one also where nothing was played.
    if (error instanceof Problem && !course.hasEnded) {
      await reportUnplayed(options, course.agent, 'refused', error.message);
    }
    // 1 says that the agent did not pass: what kept a run from being played at all is another matter.
    if (error instanceof Problem && error.exitCode === EXIT.failed) throw new Problem(error.message, EXIT.unusable);
    throw error;
  }
}

/** How far a run is, for the report of one that gives no result. */
interface Course {
  hasEnded: boolean;
  agent: { id: string | null; name: string };
}

async function play(session: Session, options: RunOptions, course: Course): Promise<number> {
  const { print, json } = session;
  const untilMs = performance.now() + options.timeout * 1000;
  const agent = await requireAgent(session, options.agent);
  course.agent = agent;
  const tests = await selectTests(session, agent, options);
  const personas = await selectPersonas(session, agent, options.persona);
  const { version = null, repeats = null } = options;
  if (options.ifChanged) {
    const selected = await readSelected(session, agent, tests);
    const played = await findPlayed(session, agent, { tests: selected, personas, version, repeats });
    if (played !== null) {
      course.hasEnded = true;
      print.note(`Nothing has changed since run ${played.document.batchId}: its result stands, and nothing is played.`);
      return conclude(session, agent, played, options);
    }
  }
  const body = { ...tests, personas, version, repeats };
  const run = await startRun(session, agent, body, options.idempotencyKey ?? randomUUID(), untilMs);
  print.note(startedWords(agent, run));
  if (!options.wait) {
    if (json) print.json(run);
    else print.line(run.id);
    return EXIT.done;
  }
  const late = async (latest: RunResource): Promise<number> => {
    const reason = `Not finished within ${options.timeout} seconds. The run ${run.id} continues on the server.`;
    await reportUnplayed(options, agent, 'not_finished', reason);
    return tooLate(session, latest, options.timeout);
  };
  const seen = await waitForRun(session, agent.id, run.id, untilMs, () =>
    reportUnplayed(options, agent, 'interrupted', `Interrupted. The run ${run.id} continues on the server.`),
  );
  if (!seen.over) return late(seen.run);
  // A run that is over is not lost because the server restarts just then.
  const patient = withPatience(session, Math.max(untilMs, performance.now() + RESULT_WITHIN_MS));
  const first = await fetchDocument(patient, agent.id, run.id, options.compareTo);
  course.hasEnded = true;
  if (!options.retryErrors) return conclude(patient, agent, first, options);
  const retried = await retryErrors(patient, agent, run, first, { ...options, untilMs });
  if (retried === 'late') return late(seen.run);
  return conclude(patient, agent, retried.fetched, options, retried.judged);
}

function startedWords(agent: AgentResource, run: RunResource): string {
  const { requested, runnable } = run.cells;
  const cells = runnable < requested ? `${runnable} of ${requested} cells` : `${requested} cells`;
  return `Run ${run.id} of ${agent.name}, version ${run.version}: ${cells}, at most ${costOf(run)}.${run.message === null ? '' : ` ${run.message}`}`;
}
