import type { AgentResource } from '../../src/contract/agent.ts';
import type { RunResource } from '../../src/contract/run.ts';
import { patiently } from '../patiently.ts';
import type { Session } from '../session.ts';

/** Sent again under the same key where the answer was lost, so that it happens once. */
export function startRun(
  { client, print }: Session,
  agent: AgentResource,
  body: unknown,
  idempotencyKey: string,
  untilMs: number,
): Promise<RunResource> {
  const path = `/v1/agents/${agent.id}/runs`;
  return patiently(() => client.write<RunResource>('POST', path, body, idempotencyKey), { untilMs, say: print.note });
}
