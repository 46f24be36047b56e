import { setTimeout as sleep } from 'node:timers/promises';
import type { ErasureResource } from '../src/contract/erasure.ts';
import { ask } from './ask.ts';
import { requireAgent } from './choose-agent.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';

interface Asked {
  yes?: boolean;
}

/** Erases calls of an agent, or all calls of a caller, and waits for the report. */
export async function eraseOfAgent(
  session: Session,
  which: { callIds: string[] } | { callerNumber: string },
  { agent: wanted, reason, ...asked }: Asked & { agent?: string; reason: string },
): Promise<void> {
  const agent = await requireAgent(session, wanted);
  const what = 'callIds' in which ? `${which.callIds.length} calls` : 'all calls of this caller';
  await confirm(`Erase ${what} of ${agent.name} for good`, asked);
  const body = { ...which, reason };
  await report(session, await session.client.person<ErasureResource>('POST', `/app/agents/${agent.id}/erasures`, body));
}

export async function eraseAgent(session: Session, wanted: string, asked: Asked): Promise<void> {
  const agent = await requireAgent(session, wanted);
  await confirm(`Delete ${agent.name} with its ${agent.counts.calls} calls and all else for good`, asked);
  await report(session, await session.client.person<ErasureResource>('DELETE', `/app/agents/${agent.id}`));
}

/** @throws Problem unless somebody says yes. */
async function confirm(what: string, { yes }: Asked): Promise<void> {
  if (yes || /^y(es)?$/i.test(await ask(`${what} (y/N)? `, 'Confirm with --yes.'))) return;
  throw new Problem('Nothing was erased.', EXIT.failed);
}

const GAP_MS = 500;

async function report({ client, print, json }: Session, asked: ErasureResource): Promise<void> {
  let said = '';
  let erasure = asked;
  while (erasure.finishedAt === null) {
    if (erasure.message !== said) print.note(erasure.message);
    said = erasure.message;
    await sleep(GAP_MS);
    erasure = await client.person<ErasureResource>('GET', `/app/erasures/${asked.id}`);
  }
  show({ print, json }, erasure);
}

function show({ print, json }: Pick<Session, 'print' | 'json'>, erasure: ErasureResource): void {
  if (erasure.status === 'failed') throw new Problem(erasure.message, EXIT.failed);
  if (json) return print.json(erasure);
  print.line(erasure.message);
  for (const [table, rows] of Object.entries(erasure.removed)) print.line(`${String(rows).padStart(8)}  ${table}`);
}
