import { sql } from 'kysely';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { storeBatch } from '../../src/services/analysis/store-batch.ts';
import { recomputeIssues } from '../../src/services/issues/recompute-issues.ts';
import { makeAnalysis, makeCall, makeSignal, type TestAgent, testKnowledge, testVault } from './analysed-calls.ts';
import type { TestDatabase } from './database.ts';

/** Whatever opens the product's own way to the rows of one workspace. */
type Within = Pick<TestDatabase, 'within'>;

const DAY_MS = 86_400_000;

/** A call so many days before now; `shows` puts the failed tool on it. */
export interface DatedCall {
  id: string;
  daysAgo: number | null;
  shows?: boolean;
  /** Where it shows; the tool `book_table` where it is left out. */
  tool?: string;
  version?: number;
  /** Left out of the analysis: it waits. */
  waits?: boolean;
  /** `tool_failed` could not be computed on it. */
  blind?: boolean;
}

export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Stores and reads calls as the product does, without grouping them. */
export async function readCalls(database: Within, agent: TestAgent, dated: DatedCall[]): Promise<void> {
  const em = database.within(agent.workspaceId);
  const calls = dated.map(({ id, daysAgo: days, version = 1 }) => ({
    payload: { id },
    call: makeCall({ providerCallId: id, version, startedAt: days === null ? null : daysAgo(days), endedAt: null }),
  }));
  await storeCalls(em, { ...agent, importId: null, vault: testVault, calls });
  const { rows } = await sql<{ id: string; name: string }>`
    select id, provider_call_id as name from calls where agent_id = ${agent.agentId}`.execute(em.getKysely());
  const ids = new Map(rows.map((row) => [row.name, row.id]));
  const analyses = dated.flatMap(({ id, shows, tool = 'book_table', waits, blind }) =>
    waits
      ? []
      : [
          {
            callId: ids.get(id) ?? '',
            analysis: makeAnalysis({
              signals: shows
                ? [makeSignal({ code: 'tool_failed', place: { kind: 'tool', id: tool, label: tool } })]
                : [],
              notComputable: blind ? [{ code: 'tool_failed', reason: 'The platform sends no results of tools.' }] : [],
            }),
          },
        ],
  );
  await storeBatch(em, testKnowledge, { ...agent, analyses });
}

export const groupAndLive = (database: Within, agent: TestAgent) =>
  recomputeIssues(database.within(agent.workspaceId), agent.agentId, 'incremental', testKnowledge.catalogue);

export const many = (count: number, prefix: string, call: Omit<DatedCall, 'id'>): DatedCall[] =>
  Array.from({ length: count }, (_, at) => ({ ...call, id: `${prefix}${at}` }));
