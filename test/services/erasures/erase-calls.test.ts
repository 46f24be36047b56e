import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerKeyOf } from '../../../src/db/calls/caller-key.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { namesCaller } from '../../../src/db/erasures/erase-sealed.ts';
import { dropUnused } from '../../../src/db/erasures/forget-words.ts';
import { RemovedRows } from '../../../src/db/erasures/removed.ts';
import { markCallerErased } from '../../../src/db/erasures/tombstones.ts';
import { dropWords } from '../../../src/db/retention/drop-words.ts';
import type { NormalisedCall } from '../../../src/domain/calls/call.ts';
import { seededRandom } from '../../../src/domain/random.ts';
import type { CallAnalysis } from '../../../src/domain/signals/call-analysis.ts';
import type { Place } from '../../../src/domain/signals/signal.ts';
import { OUTCOMES } from '../../../src/domain/vocabulary.ts';
import { storeBatch } from '../../../src/services/analysis/store-batch.ts';
import { eraseCalls } from '../../../src/services/erasures/erase-calls.ts';
import {
  makeAgent,
  makeAnalysis,
  makeCall,
  makeSignal,
  type TestAgent,
  testKnowledge,
  testVault,
} from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { evidenceTables, issueTable } from '../../support/evidence-tables.ts';
import { scoreIssues } from '../../support/score-issues.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const within = (agent: TestAgent) => database.within(agent.workspaceId);
const knows = { vault: testVault, catalogue: testKnowledge.catalogue };
const owned = (agent: TestAgent) => ({ workspaceId: agent.workspaceId, agentId: agent.agentId });

interface Made {
  call: NormalisedCall;
  analysis: CallAnalysis;
}

const store = async (agent: TestAgent, calls: readonly NormalisedCall[], v = 1) =>
  (
    await storeCalls(within(agent), {
      ...owned(agent),
      importId: null,
      vault: testVault,
      calls: calls.map((call) => ({ payload: { v }, call })),
    })
  ).callIds;

async function read(agent: TestAgent, made: readonly Made[]): Promise<void> {
  for (let at = 0; at < made.length; at += 7) {
    const part = made.slice(at, at + 7);
    await store(
      agent,
      part.map(({ call }) => call),
    );
    const ids = await idsOf(agent);
    const analyses = part.map(({ call, analysis }) => ({ callId: ids.get(call.providerCallId) ?? '', analysis }));
    await storeBatch(within(agent), testKnowledge, { ...owned(agent), analyses });
  }
}

async function idsOf({ agentId }: TestAgent): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; ref: string }>`
    select id, provider_call_id as ref from calls where agent_id = ${agentId}`.execute(database.em().getKysely());
  return new Map(rows.map(({ id, ref }) => [ref, id]));
}

const erase = (agent: TestAgent, ids: readonly string[]) =>
  within(agent).transactional((tx) => eraseCalls(tx, knows, owned(agent), ids));

const PLACES: Place[] = ['greet', 'ask', 'book'].map((id) => ({ kind: 'node', id, label: id }));
const CODES = ['tool_failed', 'tool_slow', 'claimed_after_failure', 'monologue'];

function makeCalls(random: () => number, many: number): Made[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: many }, (_, nth) => {
    const walked = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(PLACES));
    const signals = Array.from({ length: Math.floor(random() * 3) }, () =>
      makeSignal({ code: pick(CODES), turnIndex: Math.floor(random() * 8), place: pick(PLACES) }),
    );
    return {
      call: makeCall({
        providerCallId: `call ${nth}`,
        version: nth < 4 ? 1 + (nth % 2) : 1 + Math.floor(random() * 2),
        startedAt:
          random() < 0.1 ? null : `2026-03-${10 + Math.floor(random() * 9)}T1${Math.floor(random() * 9)}:00:00.000Z`,
        durationMs: Math.floor(random() * 300_000),
        costUsd: random() < 0.5 ? random() : null,
        callerNumber: random() < 0.6 ? `+1555010${Math.floor(random() * 5)}` : null,
      }),
      analysis: makeAnalysis({
        outcome: pick(OUTCOMES),
        requests: [{ turn: 1, text: pick(['book a', 'cancel b', 'move c']) }],
        counts: { turns: 9, callerTurns: 4, agentTurns: 5, toolFailures: 0, frictions: Math.floor(random() * 2) },
        signals,
        notComputable: random() < 0.2 ? [{ code: 'tool_slow', reason: 'No times.' }] : [],
        visits: walked.map((place, firstTurn) => ({ place, firstTurn })),
        ...(walked.at(-1) && { endStep: walked.at(-1) as Place }),
        path: { moves: [], loops: [] },
      }),
    };
  });
}

async function allSums(agent: TestAgent) {
  const counts = async (table: string) =>
    (
      await sql`select to_jsonb(t) - 'agent_id' as row from ${sql.table(table)} t where agent_id = ${agent.agentId}
        order by 1`.execute(database.em().getKysely())
    ).rows;
  const tables = ['metric_counts', 'metric_bins', 'cost_bins', 'flow_counts', 'flow_steps'];
  const sums = await Promise.all(tables.map(async (table) => [table, await counts(table)] as const));
  const evidence = await evidenceTables(database.em(), agent.agentId);
  // A pattern that was confirmed once stays so: the grouping remembers it.
  const { open_issue_count: _, ...counted } = evidence.agent ?? {};
  return { ...evidence, agent: counted, ...Object.fromEntries(sums) };
}

describe('calls that are erased', () => {
  test('leave an agent as if they had never been, whatever they said', async () => {
    for (const start of [1, 2]) {
      const made = makeCalls(seededRandom(start).next, 30);
      const isErased = (_: Made, nth: number) => nth >= 4 && nth % 3 !== 0;
      const [agent, spared] = [await makeAgent(database.em()), await makeAgent(database.em())];
      await read(agent, made);
      await scoreIssues(within(agent), testKnowledge.catalogue, agent.agentId, 'incremental');
      await read(
        spared,
        made.filter((one, nth) => !isErased(one, nth)),
      );
      const ids = await idsOf(agent);
      const gone = made.filter(isErased).map(({ call }) => ids.get(call.providerCallId) ?? '');
      const report = await erase(agent, gone.slice(0, 10));
      expect(report).toMatchObject({ calls: 10, transcripts: 10, raw_payloads: 10, call_analyses: 10 });
      await erase(agent, gone);
      expect(await erase(agent, gone)).toEqual({});
      await dropUnused(within(agent), agent.agentId, new RemovedRows());
      for (const each of [agent, spared]) {
        await scoreIssues(within(each), testKnowledge.catalogue, each.agentId, 'incremental');
      }
      const left = await allSums(agent);
      expect(left.calls).toHaveLength(12);
      expect(left).toEqual(await allSums(spared));
      const shown = (await issueTable(database.em(), agent.agentId)).filter(({ withdrawn }) => withdrawn !== true);
      expect(shown.length).toBeGreaterThan(0);
      await scoreIssues(within(agent), testKnowledge.catalogue, agent.agentId, 'full');
      expect(await allSums(agent)).toEqual(left);
    }
  });

  test('may have lost their words before: no sum moves by that, and none is left by the erasure', async () => {
    const made = makeCalls(seededRandom(3).next, 20);
    const [agent, spared] = [await makeAgent(database.em()), await makeAgent(database.em())];
    for (const each of [agent, spared]) await read(each, made);
    const before = await allSums(agent);
    const all = [...(await idsOf(agent)).values()];
    await within(agent).transactional((tx) => dropWords(tx, owned(agent), all));
    const after = await allSums(agent);
    expect(after.calls).toHaveLength(20);
    for (const table of ['metric_counts', 'metric_bins', 'cost_bins', 'flow_counts', 'rollups'] as const) {
      expect([table, after[table as keyof typeof after]]).toEqual([table, before[table as keyof typeof before]]);
    }
    await erase(agent, all);
    const left = await allSums(agent);
    await erase(spared, [...(await idsOf(spared)).values()]);
    expect(left).toEqual(await allSums(spared));
  });

  test('whose words are gone take none again: from a changed record, or from a reading that was on its way', async () => {
    const agent = await makeAgent(database.em());
    const call = makeCall({ providerCallId: 'a' });
    const [callId = ''] = await store(agent, [call]);
    await read(agent, [{ call, analysis: makeAnalysis({ objective: 'A table' }) }]);
    await within(agent).transactional((tx) => dropWords(tx, owned(agent), [callId]));
    expect(await store(agent, [makeCall({ providerCallId: 'a', durationMs: 1 })], 2)).toEqual([]);
    const analyses = [{ callId, analysis: makeAnalysis({ objective: 'A late word' }) }];
    await storeBatch(within(agent), testKnowledge, { ...owned(agent), analyses });
    const { rows } = await sql`select objective, state, reanalyse,
        exists (select from transcripts t where t.call_id = c.id) as "hasTranscript"
      from calls c where id = ${callId}`.execute(database.em().getKysely());
    expect(rows).toEqual([{ objective: null, state: 'analysed', reanalyse: false, hasTranscript: false }]);
  });

  test('do not come in again, nor do changed records of them, while others do', async () => {
    const agent = await makeAgent(database.em());
    const [first = '', second = ''] = await store(
      agent,
      ['a', 'b'].map((providerCallId) => makeCall({ providerCallId })),
    );
    await erase(agent, [first]);
    expect(await store(agent, [makeCall({ providerCallId: 'a', durationMs: 1 })], 2)).toEqual([]);
    expect(await store(agent, [makeCall({ providerCallId: 'b', durationMs: 1 })], 2)).toEqual([second]);
    expect(await store(agent, [makeCall({ providerCallId: 'c' })])).toHaveLength(1);
    const other = await makeAgent(database.em());
    expect(await store(other, [makeCall({ providerCallId: 'a' })])).toHaveLength(1);
    const { rows } = await sql<{ kept: string }>`select to_jsonb(e)::text as kept from erased_calls e
      where agent_id = ${agent.agentId}`.execute(database.em().getKysely());
    expect(rows).toHaveLength(1);
  });

  test('take their spans with them, also the second call of a room', async () => {
    const agent = await makeAgent(database.em());
    const { workspaceId, agentId } = owned(agent);
    const admin = database.em().getKysely();
    for (const room of ['RM_1', 'RM_2', 'RM_1/3']) {
      await sql`insert into span_traces (agent_id, trace_id, workspace_id, call_refs)
        values (${agentId}, ${`trace of ${room}`}, ${workspaceId}, ${[room]}::text[])`.execute(admin);
      await sql`insert into span_batches (agent_id, trace_id, digest, workspace_id, sealed)
        values (${agentId}, ${`trace of ${room}`}, 'd', ${workspaceId}, '\\x00'::bytea)`.execute(admin);
    }
    const [, second = ''] = await store(
      agent,
      ['RM_1', 'RM_1/2', 'RM_2'].map((providerCallId) => makeCall({ providerCallId })),
    );
    expect(await erase(agent, [second])).toMatchObject({ calls: 1, span_traces: 1, span_batches: 1 });
    for (const table of ['span_traces', 'span_batches']) {
      const { rows } = await sql`select trace_id as id from ${sql.table(table)} where agent_id = ${agentId}
        order by 1`.execute(admin);
      expect(rows).toEqual([{ id: 'trace of RM_1/3' }, { id: 'trace of RM_2' }]);
    }
  });

  test('of a caller stay away where they began before, and without a start', async () => {
    const agent = await makeAgent(database.em());
    const callerNumber = '+1 555 0199';
    await markCallerErased(within(agent), owned(agent), callerKeyOf(testVault, agent.workspaceId, callerNumber) ?? '');
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const stored = (startedAt: string | null, number = callerNumber) =>
      store(agent, [makeCall({ providerCallId: `${startedAt} ${number}`, callerNumber: number, startedAt })]);
    expect(await stored('2026-01-01T10:00:00.000Z')).toEqual([]);
    expect(await stored(null, '15550199')).toEqual([]);
    expect(await stored(soon)).toHaveLength(1);
    expect(await stored('2026-01-01T10:00:00.000Z', '+1 555 0198')).toHaveLength(1);
  });

  test('that others of the caller followed leave those counted anew', async () => {
    const agent = await makeAgent(database.em());
    const calls = ['10', '11', '12'].map((day) => ({
      call: makeCall({ providerCallId: day, startedAt: `2026-03-${day}T10:00:00.000Z`, callerNumber: '+15550100' }),
      analysis: makeAnalysis(),
    }));
    await read(agent, calls);
    await erase(agent, [(await idsOf(agent)).get('10') ?? '']);
    const { rows } = await sql`select provider_call_id as id, caller_nth as nth, caller_of as of, called_again as again
      from calls where agent_id = ${agent.agentId} order by 1`.execute(database.em().getKysely());
    expect(rows).toEqual([
      { id: '11', nth: 1, of: 2, again: true },
      { id: '12', nth: 2, of: 2, again: false },
    ]);
  });
});

test.each([
  ['{"from": "+1 (555) 010-0199"}', '+15550100199', true],
  ['{"from": "15550100199"}', '+1 555 010 0199', true],
  ['{"from": "+15550100198"}', '+15550100199', false],
  ['{"from": "sip:Mary@example.com"}', 'SIP:mary@example.com', true],
  ['{"from": 15550100199}', '+1 555 010 0199', true],
  ['{"from": "12"', '12', false],
  ['{"from": "+15550100199"', '+1 555 010 0199', true],
  ['{"from": "12"}', '12', true],
  ['{"turns": [1, 12, 123], "text": "At 12, please."}', '12', false],
  ['{"from": "+15550100199"}', '50100', false],
  ['{"name": ""}', '()', false],
])('a sealed record %s names %s: %s', (record, number, names) => {
  expect(namesCaller(record, number)).toBe(names);
});
