import type { RunResource } from '../../src/contract/run.ts';
import { PROGRAM } from '../../src/layout.ts';
import { chooseAgent } from '../choose-agent.ts';
import { query, readList } from '../lists.ts';
import type { Session } from '../session.ts';
import { openClock } from '../times.ts';
import { spaced } from './messages.ts';

export interface RunsOptions {
  agent?: string;
  status?: string;
  trigger?: string;
  version?: number;
  limit?: number;
}

const SHOWN = 25;

export async function showRuns(session: Session, options: RunsOptions): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const filter = query({ status: options.status, trigger: options.trigger, version: options.version });
  const runs = await readList<RunResource>(client, `/v1/agents/${agent.id}/runs${filter}`, options.limit ?? SHOWN);
  if (json) return print.json(runs);
  if (runs.length === 0) return print.line(`No runs. Start one: ${PROGRAM} run --all`);
  const clock = openClock();
  print.table(
    [clock.head('Began'), 'Kind', 'Status', 'Version', 'Cells', 'Passed', 'Failed', 'USD', 'Id'],
    runs.map((run) => [
      clock.minute(run.createdAt),
      run.kind === 'calibration' ? run.kind : (run.trigger ?? run.kind),
      spaced(run.status),
      String(run.version),
      `${run.progress.completed}/${run.cells.requested}`,
      run.summary ? String(run.summary.counts.passed) : '',
      run.summary ? String(run.summary.counts.failed) : '',
      (run.cost.platformUsd + run.cost.serviceUsd).toFixed(2),
      run.id,
    ]),
  );
  for (const { id, status, message } of runs) {
    if (status === 'awaiting_approval') print.note(`Run ${id} waits for a person. ${message ?? ''}`);
  }
}
