import { sql } from 'kysely';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { searchedCall } from '../../src/db/search/write-search.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import { newId } from '../../src/ids.ts';
import { storeBatch } from '../../src/services/analysis/store-batch.ts';
import { makeAnalysis, makeCall, testKnowledge, testVault } from './analysed-calls.ts';
import { scoreIssues } from './score-issues.ts';
import type { Loose, World } from './world.ts';

export interface SeededCall {
  call: Partial<NormalisedCall> & { providerCallId: string };
  /** Null: the call is stored and waits. */
  analysis: Partial<CallAnalysis> | null;
}

/** Stores calls and analyses by the write path of the product. @returns their ids in the order given. */
export async function seedCalls(world: World, agentId: string, seeded: SeededCall[]): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id as "workspaceId" from agents where id = ${agentId}
  `.execute(world.database.em().getKysely());
  const workspaceId = rows[0]?.workspaceId ?? '';
  for (let at = 0; at < seeded.length; at += 100) {
    const part = seeded.slice(at, at + 100);
    await storeCalls(world.database.within(workspaceId), {
      workspaceId,
      agentId,
      importId: newId(),
      vault: testVault,
      calls: part.map(({ call }) => ({ payload: { id: call.providerCallId }, call: makeCall(call) })),
    });
  }
  const ids = await idsOf(world, agentId);
  const analyses = seeded.flatMap(({ call, analysis }) =>
    analysis === null
      ? []
      : [
          {
            callId: ids.get(call.providerCallId) ?? '',
            analysis: makeAnalysis(analysis),
            searched: searchedCall(makeCall(call)),
          },
        ],
  );
  for (let at = 0; at < analyses.length; at += 100) {
    const part = analyses.slice(at, at + 100);
    await storeBatch(world.database.within(workspaceId), testKnowledge, { workspaceId, agentId, analyses: part });
  }
  await scoreIssues(world.database.within(workspaceId), testKnowledge.catalogue, agentId, 'incremental');
  return seeded.map(({ call }) => ids.get(call.providerCallId) ?? '');
}

async function idsOf(world: World, agentId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; providerCallId: string }>`
    select id, provider_call_id as "providerCallId" from calls where agent_id = ${agentId}
  `.execute(world.database.em().getKysely());
  return new Map(rows.map((row) => [row.providerCallId, row.id]));
}

/** ISO time so many minutes after the first call of the tests. */
export const minute = (at: number) => new Date(Date.UTC(2026, 2, 10, 10) + at * 60_000).toISOString();

/** Reads a list page by page, to its end. */
export async function walk(
  world: World,
  url: string,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<Loose[]> {
  const rows = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 1000; pages += 1) {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`;
    const answer = await world.get(`${url}${url.includes('?') ? '&' : '?'}limit=${limit}${next}`);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    rows.push(...answer.body.data);
    cursor = answer.body.nextCursor;
    if (answer.body.hasMore !== (cursor !== null)) throw new Error('hasMore and nextCursor differ');
    if (cursor === null) return rows;
    await between();
  }
  throw new Error('the list does not end');
}
