import type { AgentResource } from '../../src/contract/agent.ts';
import type { AttemptSummaryResource } from '../../src/contract/attempt.ts';
import { query, readList } from '../lists.ts';
import type { Session } from '../session.ts';
import type { RunDocument } from './messages.ts';

/** How long each attempt of a run took, by its id, in seconds; without those that never ended. */
export async function readSeconds(
  { client }: Session,
  agent: Pick<AgentResource, 'id'>,
  { batchId }: RunDocument,
): Promise<Map<string, number>> {
  const path = `/v1/agents/${agent.id}/attempts${query({ runId: batchId })}`;
  const attempts = await readList<AttemptSummaryResource>(client, path);
  return new Map(attempts.flatMap((attempt) => secondsOf(attempt)));
}

function secondsOf({ id, startedAt, finishedAt }: AttemptSummaryResource): [string, number][] {
  return finishedAt === null ? [] : [[id, (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000]];
}
