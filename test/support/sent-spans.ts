import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import type { SentSpan } from '../../src/domain/spans/span.ts';
import { takeSpans } from '../../src/operations/ingest/take-spans.ts';
import type { Vault } from '../../src/secrets.ts';
import type { StoredAgent } from './pipeline.ts';
import { otlpBytes } from './spans.ts';
import { testAnalyser } from './test-analyser.ts';

/** Spans as the API takes them, for an agent of the tests. */
export function takeSent(
  { database, vault }: { database: Database; vault: Vault },
  agent: StoredAgent,
  spans: readonly SentSpan[],
) {
  const sent = { body: otlpBytes(spans), encoding: 'protobuf', signal: 'traces' } as const;
  return takeSpans(
    { analyser: testAnalyser(), database, vault, storageMib: null },
    { ...agent, tokenId: agent.agentId },
    sent,
  );
}

/** As though the wait for late spans, or for a silent call, were over. */
export async function letWaitPass(database: Database, { agentId, workspaceId }: StoredAgent): Promise<void> {
  await sql`
    update span_traces set due_at = now(), last_at = last_at - interval '1 hour'
    where agent_id = ${agentId} and due_at is not null
  `.execute(database.within(workspaceId).getKysely());
}
