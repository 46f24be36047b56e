import { setTimeout as sleep } from 'node:timers/promises';
import type { RunResource } from '../../src/contract/run.ts';
import { patiently } from '../patiently.ts';
import { EXIT } from '../problem.ts';
import type { Session } from '../session.ts';
import { type ConcludeOptions, conclude } from './conclude.ts';
import { fetchDocument } from './fetch-document.ts';
import { findRun } from './find-run.ts';
import { checkFiles } from './outcome-files.ts';
import { tooLate } from './wait-for-run.ts';

export interface RescoreOptions extends ConcludeOptions {
  agent?: string;
  compareTo?: string;
  wait?: boolean;
  /** Seconds. */
  timeout: number;
}

const GAP_MS = 1_000;

/**
 * `earshot rescore`: the stored attempts are scored again, and no call is placed.
 * @returns 0 once it is ordered; with `--wait` the exit code of the new result.
 */
export async function rescore(session: Session, runId: string, options: RescoreOptions): Promise<number> {
  const { client, print, json } = session;
  await checkFiles(options, json);
  const untilMs = performance.now() + options.timeout * 1000;
  const { agent, run } = await findRun(session, runId, options.agent);
  const path = `/v1/agents/${agent.id}/runs/${run.id}`;
  const ordered = await client.write<RunResource>('POST', `${path}/rescore`, undefined);
  if (!options.wait) {
    if (json) print.json(ordered);
    else print.line(ordered.message ?? 'Ordered.');
    return EXIT.done;
  }
  // The run stays complete all the while: what it says tells when the new result has taken the old one's place.
  for (;;) {
    const now = await patiently(() => client.read<RunResource>(path), { untilMs, say: print.note });
    if (now.message !== ordered.message) break;
    print.progress(ordered.message ?? 'Scored again', '');
    if (performance.now() > untilMs) return tooLate(session, now, options.timeout);
    await sleep(GAP_MS);
  }
  print.endProgress();
  return conclude(session, agent, await fetchDocument(session, agent.id, run.id, options.compareTo), options);
}
