import type { RunResource } from '../../src/contract/run.ts';
import { EXIT } from '../problem.ts';
import type { Session } from '../session.ts';
import { findRun } from './find-run.ts';

export interface DecideOptions {
  agent?: string;
  /** Of an approval: only the cells that the budget covers. */
  covered?: boolean;
  reason?: string;
}

export type RunDecision = 'approve' | 'refuse' | 'cancel' | 'try-now';

/** `earshot approve`, `refuse`, `cancel` and `try-now`: only people decide, so this takes the session and never the key. */
export async function decideRun(
  session: Session,
  decision: RunDecision,
  runId: string,
  options: DecideOptions,
): Promise<number> {
  const { client, print, json } = session;
  const { agent } = await findRun(session, runId, options.agent);
  const body =
    decision === 'approve'
      ? { mode: options.covered ? 'covered' : 'all' }
      : options.reason === undefined
        ? {}
        : { reason: options.reason };
  const path = `/app/agents/${agent.id}/runs/${encodeURIComponent(runId)}/${decision}`;
  const run = await client.person<RunResource>('POST', path, body);
  if (json) print.json(run);
  else
    print.line(`Run ${run.id} is ${run.status.replaceAll('_', ' ')}.${run.message === null ? '' : ` ${run.message}`}`);
  return EXIT.done;
}
