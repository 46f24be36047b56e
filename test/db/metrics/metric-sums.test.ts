import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { moveCalls } from '../../../src/db/intents/move-intents.ts';
import { tallyCalls } from '../../../src/db/metrics/tally-calls.ts';
import { seededRandom } from '../../../src/domain/random.ts';
import type { CallAnalysis } from '../../../src/domain/signals/call-analysis.ts';
import type { Place } from '../../../src/domain/signals/signal.ts';
import { OUTCOMES } from '../../../src/domain/vocabulary.ts';
import { storeBatch } from '../../../src/services/analysis/store-batch.ts';
import {
  makeAgent,
  makeAnalysis,
  makeCall,
  type TestAgent,
  testKnowledge,
  testVault,
} from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { scoreIssues } from '../../support/score-issues.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const db = () => database.em().getKysely();
const within = (agent: TestAgent) => database.within(agent.workspaceId);
type Row = Record<string, unknown>;

test('sums kept batch by batch equal sums counted anew, whatever is read again, changed or moved', async () => {
  for (const start of [11, 12, 13]) {
    const agent = await makeAgent(database.em());
    await liveThrough(agent, seededRandom(start).next);
    const kept = await sumsOf(agent);
    expect(kept.metric_counts.length).toBeGreaterThan(5);
    expect(kept.flow_counts.length).toBeGreaterThan(10);
    await scoreIssues(within(agent), testKnowledge.catalogue, agent.agentId, 'full');
    expect(await sumsOf(agent)).toEqual(kept);
  }
});

test('counting anew writes no row where the sums are right', async () => {
  const agent = await makeAgent(database.em());
  await liveThrough(agent, seededRandom(21).next);
  await scoreIssues(within(agent), testKnowledge.catalogue, agent.agentId, 'full');
  const written = await writersOf(agent);
  await scoreIssues(within(agent), testKnowledge.catalogue, agent.agentId, 'full');
  expect(await writersOf(agent)).toEqual(written);
});

test('the sums say what the calls say', async () => {
  const agent = await makeAgent(database.em());
  await liveThrough(agent, seededRandom(31).next);
  const { rows: plain } = await sql<Row>`
    select count(*)::int as calls, count(*) filter (where outcome = 'resolved')::int as resolved,
      count(*) filter (where tool_results > 0 and tool_failures > 0)::int as failed,
      count(*) filter (where frictions > 0)::int as friction, count(response_median_ms)::int as p50,
      count(*) filter (where caller_key is not null and exists (select from calls d where d.agent_id = c.agent_id
        and d.state = 'analysed' and d.caller_key = c.caller_key and d.started_at > c.started_at
        and d.started_at <= c.started_at + interval '7 days'))::int as again
    from calls c where agent_id = ${agent.agentId} and state = 'analysed'`.execute(db());
  const { rows: kept } = await sql<Row>`
    select sum(calls)::int as calls, sum(calls) filter (where outcome = 'resolved')::int as resolved,
      sum(tool_failed)::int as failed, sum(friction)::int as friction,
      (select sum(calls)::int from metric_bins where agent_id = ${agent.agentId} and measure = 'p50') as p50,
      sum(called_again)::int as again
    from metric_counts where agent_id = ${agent.agentId}`.execute(db());
  expect(kept).toEqual(plain);
  expect(Number(plain[0]?.again)).toBeGreaterThan(0);
});

test('a call that is taken out, as an erasure would, leaves nothing of itself in the sums', async () => {
  const agent = await makeAgent(database.em());
  await liveThrough(agent, seededRandom(41).next);
  const { rows } = await sql<{ id: string }>`select id from calls where agent_id = ${agent.agentId}
    and state = 'analysed' and caller_key is null order by provider_call_id limit 15`.execute(db());
  const ids = rows.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(3);
  await within(agent).transactional(async (tx) => {
    await tallyCalls(tx, agent.agentId, ids, -1);
    await sql`delete from calls where id = any(${ids}::uuid[])`.execute(tx.getKysely());
  });
  const kept = await sumsOf(agent);
  await scoreIssues(within(agent), testKnowledge.catalogue, agent.agentId, 'full');
  const counted = await sumsOf(agent);
  const some = (rows: Row[]) => rows.filter((row) => row.calls !== 0);
  expect(counted.metric_counts).toEqual(some(kept.metric_counts));
  expect(counted.metric_bins).toEqual(some(kept.metric_bins));
  expect(counted.flow_counts).toEqual(some(kept.flow_counts));
});

const PLACES: Place[] = ['a', 'b', 'c', 'd'].map((id) => ({ kind: 'node', id, label: `Step ${id}` }));
const TOOLS: Place[] = ['find', 'book'].map((id) => ({ kind: 'tool', id, label: id }));

/** Calls come, are read, read again and changed in random batches, and some move to another intent. */
async function liveThrough(agent: TestAgent, random: () => number): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const day = () => String(1 + Math.floor(random() * 12)).padStart(2, '0');
  for (let batch = 0; batch < 6; batch += 1) {
    const calls = Array.from({ length: 12 }, () =>
      makeCall({
        providerCallId: `call ${Math.floor(random() * 45)}`,
        version: 1 + Math.floor(random() * 3),
        startedAt: random() < 0.1 ? null : `2026-03-${day()}T${pick(['00', '10', '23'])}:00:00.000Z`,
        durationMs: Math.floor(random() * 300_000),
        callerNumber: random() < 0.5 ? `+1555010${Math.floor(random() * 6)}` : null,
      }),
    );
    const distinct = [...new Map(calls.map((call) => [call.providerCallId, call])).values()];
    const page = distinct.map((call) => ({ payload: { v: batch, id: call.providerCallId }, call }));
    const { callIds } = await storeCalls(within(agent), { ...agent, importId: null, vault: testVault, calls: page });
    const analyses = callIds.map((callId) => ({ callId, analysis: reading(random, pick) }));
    await storeBatch(within(agent), testKnowledge, { ...agent, analyses });
  }
  const { rows } = await sql<{ id: string }>`select id from calls where agent_id = ${agent.agentId}
    and state = 'analysed' order by provider_call_id limit 9`.execute(db());
  const moved = { intent: 'moved', useCase: 'moved', subUseCase: null, persona: 'plain', requestIntents: ['moved'] };
  await moveCalls(
    within(agent),
    agent,
    rows.map(({ id }) => ({ id, ...moved })),
    [],
  );
}

function reading(random: () => number, pick: <T>(list: readonly T[]) => T): CallAnalysis {
  const steps = random() < 0.7 ? PLACES : TOOLS;
  const walked = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(steps));
  const end = walked.at(-1) as Place;
  const failures = Math.floor(random() * 2);
  return makeAnalysis({
    outcome: pick(OUTCOMES),
    requests: [{ turn: 1, text: pick(['book a', 'cancel b', 'move c']) }],
    counts: { turns: 9, callerTurns: 4, agentTurns: 4, toolFailures: failures, frictions: Math.floor(random() * 2) },
    toolResults: random() < 0.5 ? [{ turn: 3, ok: failures === 0, refusal: false }] : [],
    responseTimes: random() < 0.7 ? { p50Ms: Math.floor(random() * 4000), p90Ms: Math.floor(random() * 9000) } : null,
    visits: walked.map((place, firstTurn) => ({ place, firstTurn })),
    endStep: end,
    path: {
      moves: walked
        .slice(1)
        .map((place, at) => [walked[at]?.kind ?? 'node', walked[at]?.id ?? '', place.kind, place.id]),
      loops: random() < 0.3 ? [[end.kind, end.id]] : [],
    },
  });
}

async function sumsOf({ agentId }: TestAgent) {
  const rows = async (table: string) =>
    (
      await sql<Row>`select to_jsonb(t) - 'agent_id' as row from ${sql.table(table)} t where agent_id = ${agentId}
        order by 1`.execute(db())
    ).rows.map(({ row }) => row as Row);
  return {
    metric_counts: await rows('metric_counts'),
    metric_bins: await rows('metric_bins'),
    flow_counts: await rows('flow_counts'),
  };
}

async function writersOf({ agentId }: TestAgent) {
  const { rows } = await sql`
    select 'counts' as t, xmin::text, count(*) from metric_counts where agent_id = ${agentId} group by 1, 2
    union all select 'bins', xmin::text, count(*) from metric_bins where agent_id = ${agentId} group by 1, 2
    union all select 'flow', xmin::text, count(*) from flow_counts where agent_id = ${agentId} group by 1, 2
    union all select 'steps', xmin::text, count(*) from flow_steps where agent_id = ${agentId} group by 1, 2
    order by 1, 2`.execute(db());
  return rows;
}
