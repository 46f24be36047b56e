import type { RunResource } from '../../src/contract/run.ts';
import type { TestResource } from '../../src/contract/test.ts';
import { requireAgent } from '../choose-agent.ts';
import { readList } from '../lists.ts';
import { EXIT } from '../problem.ts';
import type { Session } from '../session.ts';
import { type SelectOptions, selectTests } from './select-tests.ts';
import { tooLate, waitForRun } from './wait-for-run.ts';

export interface CalibrateOptions extends SelectOptions {
  agent?: string;
  version?: number;
  wait: boolean;
  /** Seconds. */
  timeout: number;
}

/**
 * `earshot calibrate`: plays each test three times; the stable ones gate from then on. Only people may.
 * @returns the exit code: 1 where the run could not be played.
 */
export async function calibrate(session: Session, options: CalibrateOptions): Promise<number> {
  const { client, print, json } = session;
  const untilMs = performance.now() + options.timeout * 1000;
  const agent = await requireAgent(session, options.agent);
  const body = { ...(await selectTests(session, agent, options)), version: options.version ?? null };
  const run = await client.person<RunResource>('POST', `/v1/agents/${agent.id}/tests/calibrate`, body);
  print.note(
    `Calibration ${run.id} of ${agent.name}, version ${run.version}: ${run.cells.requested} tests, three calls each.`,
  );
  if (!options.wait) {
    if (json) print.json(run);
    else print.line(run.id);
    return EXIT.done;
  }
  const seen = await waitForRun(session, agent.id, run.id, untilMs);
  if (!seen.over) return tooLate(session, seen.run, options.timeout);
  const tests = await readList<TestResource>(client, `/v1/agents/${agent.id}/tests`);
  const calibrated = tests.filter(({ id }) => seen.run.testIds.includes(id));
  if (json) print.json({ run: seen.run, tests: calibrated });
  else {
    print.table(
      ['Gates', 'Test', 'Why'],
      calibrated.map(({ gates, title, gateReason }) => [gates ? 'yes' : 'no', title, gateReason ?? '']),
    );
    if (seen.run.message !== null) print.line(seen.run.message);
    print.line(`${calibrated.filter(({ gates }) => gates).length} of ${calibrated.length} tests gate.`);
  }
  if (seen.run.status === 'refused') return EXIT.refused;
  return seen.run.status === 'complete' ? EXIT.done : EXIT.failed;
}
