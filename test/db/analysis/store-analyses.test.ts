import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markCallsFailed, waitingCallIds } from '../../../src/db/analysis/load-for-analysis.ts';
import { storeBatch } from '../../../src/db/analysis/store-batch.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import type { CallAnalysis } from '../../../src/domain/signals/signal.ts';
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
import { evidenceTables } from '../../support/evidence-tables.ts';
import { expectQuotesInTheirTurns } from '../../support/quotes.ts';
import { scoreIssues } from '../../support/score-issues.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const db = () => database.em().getKysely();
const store = async (agent: TestAgent, ...calls: ReturnType<typeof makeCall>[]) => {
  const page = calls.map((call) => ({ payload: {}, call }));
  return (
    await storeCalls(database.within(agent.workspaceId), { ...agent, importId: null, vault: testVault, calls: page })
  ).callIds;
};
const read = (agent: TestAgent, ...analyses: { callId: string; analysis: CallAnalysis; payloadDigest?: string }[]) =>
  storeBatch(database.within(agent.workspaceId), testKnowledge, { ...agent, analyses });

const failing = makeSignal({ code: 'tool_failed', cause: cause('http_5xx') });
const place = failing.place;
const visits = [{ place, firstTurn: 1 }];

test('a batch leaves a call with its outcome, its signals, its links and its sums', async () => {
  const agent = await makeAgent(database.em());
  const [callId = ''] = await store(agent, makeCall({ providerCallId: 'a' }));
  await read(agent, { callId, analysis: makeAnalysis({ outcome: 'unresolved', signals: [failing], visits }) });
  const tables = await evidenceTables(database.em(), agent.agentId);
  expect(tables.calls[0]).toMatchObject({ state: 'analysed', outcome: 'unresolved', ended_badly: true });
  expect(tables.issue_calls).toMatchObject([{ code: 'tool_failed', own: true, first_turn: 1, confidence_milli: 1000 }]);
  expect(tables.issue_rollups).toMatchObject([{ code: 'tool_failed', version: 1, calls: 1, own_calls: 1, bad: 1 }]);
  expect(tables.issue_causes).toMatchObject([{ cause_code: 'http_5xx', calls: 1 }]);
  expect(tables.place_rollups).toHaveLength(2);
  expect(tables.agent).toMatchObject({ call_count: 1, version_count: 1 });
  expect(await expectQuotesInTheirTurns(database.em(), agent.agentId)).toBe(1);
});

test('storing the same batch again changes nothing', async () => {
  const agent = await makeAgent(database.em());
  const ids = await store(agent, ...['a', 'b', 'c'].map((providerCallId) => makeCall({ providerCallId })));
  const batch = ids.map((callId) => ({ callId, analysis: makeAnalysis({ signals: [failing], visits }) }));
  await read(agent, ...batch);
  const before = await evidenceTables(database.em(), agent.agentId);
  await read(agent, ...batch);
  expect(await evidenceTables(database.em(), agent.agentId)).toEqual(before);
});

test('a signal that vanishes in a second reading leaves no link, no sum and no code behind', async () => {
  const agent = await makeAgent(database.em());
  const [callId = ''] = await store(agent, makeCall({ providerCallId: 'a' }));
  await read(agent, { callId, analysis: makeAnalysis({ outcome: 'unresolved', signals: [failing], visits }) });
  await read(agent, { callId, analysis: makeAnalysis() });
  const tables = await evidenceTables(database.em(), agent.agentId);
  expect(tables.issue_calls).toEqual([]);
  expect(tables.issue_rollups).toEqual([]);
  expect(tables.issue_causes).toEqual([]);
  expect(tables.call_codes).toEqual([]);
  expect(tables.calls[0]).toMatchObject({ outcome: 'resolved', ended_badly: false, signal_codes: [] });
  expect(tables.place_rollups).toMatchObject([{ place_kind: 'agent', calls: 1, resolved: 1, unresolved: 0 }]);
});

test('a changed record keeps its old reading until the new one is stored, and then moves to its new day and version', async () => {
  const agent = await makeAgent(database.em());
  const [callId = ''] = await store(agent, makeCall({ providerCallId: 'a' }));
  await read(agent, { callId, analysis: makeAnalysis({ signals: [failing], visits }) });
  const changed = makeCall({ providerCallId: 'a', version: 2, startedAt: '2026-03-12T10:00:00.000Z' });
  expect(await store(agent, changed)).toEqual([callId]);
  expect(await waitingCallIds(database.within(agent.workspaceId), agent.agentId, 10)).toEqual([callId]);
  expect((await evidenceTables(database.em(), agent.agentId)).calls[0]).toMatchObject({
    state: 'analysed',
    version: 1,
  });
  await read(agent, { callId, analysis: makeAnalysis({ signals: [failing], visits }) });
  const tables = await evidenceTables(database.em(), agent.agentId);
  expect(tables.calls[0]).toMatchObject({ version: 2, started_at: '2026-03-12T10:00:00.000Z' });
  expect(tables.issue_rollups).toMatchObject([{ version: 2, calls: 1 }]);
  expect(tables.issue_days).toMatchObject([{ day: '2026-03-12', calls: 1 }]);
  expect(tables.agent).toMatchObject({ newest_call_at: '2026-03-12T10:00:00.000Z', call_count: 1 });
  expect(await waitingCallIds(database.within(agent.workspaceId), agent.agentId, 10)).toEqual([]);
});

test('a reading of a record that changed meanwhile is left out, and the call goes on waiting', async () => {
  const agent = await makeAgent(database.em());
  const [callId = ''] = await store(agent, makeCall({ providerCallId: 'a' }));
  await read(agent, { callId, analysis: makeAnalysis(), payloadDigest: 'of an older form' });
  expect(await waitingCallIds(database.within(agent.workspaceId), agent.agentId, 10)).toEqual([callId]);
});

test('a call that failed again keeps the reading it had', async () => {
  const agent = await makeAgent(database.em());
  const [first = '', second = ''] = await store(
    agent,
    makeCall({ providerCallId: 'a' }),
    makeCall({ providerCallId: 'b' }),
  );
  await read(agent, { callId: first, analysis: makeAnalysis() });
  await markCallsFailed(database.within(agent.workspaceId), [first, second], 'The analyser ran out of time.');
  const { rows } = await sql`select id, state from calls where agent_id = ${agent.agentId} order by id`.execute(db());
  expect(rows).toEqual([
    { id: first, state: 'analysed' },
    { id: second, state: 'failed' },
  ]);
});

test('a caller is counted by start, over batches in any order', async () => {
  const agent = await makeAgent(database.em());
  const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T10:00:00.000Z`;
  const calls = [5, 1, 3].map((day) =>
    makeCall({ providerCallId: `day ${day}`, startedAt: at(day), callerNumber: '+15550100' }),
  );
  for (const call of [...calls, makeCall({ providerCallId: 'unknown' })]) {
    const [callId = ''] = await store(agent, call);
    await read(agent, { callId, analysis: makeAnalysis() });
  }
  const { rows } = await sql`select provider_call_id, caller_kind, caller_nth, caller_of from calls
    where agent_id = ${agent.agentId} order by provider_call_id`.execute(db());
  expect(rows).toEqual([
    { provider_call_id: 'day 1', caller_kind: 'new', caller_nth: 1, caller_of: 3 },
    { provider_call_id: 'day 3', caller_kind: 'repeat', caller_nth: 2, caller_of: 3 },
    { provider_call_id: 'day 5', caller_kind: 'repeat', caller_nth: 3, caller_of: 3 },
    { provider_call_id: 'unknown', caller_kind: 'unknown', caller_nth: 1, caller_of: 1 },
  ]);
});

test('eight batches for one agent at once, and regroups between them, all end, and every call counts once', async () => {
  const agent = await makeAgent(database.em());
  const batches = Array.from({ length: 8 }, (_, batch) =>
    Array.from({ length: 10 }, (_, index) =>
      makeCall({ providerCallId: `${batch < 4 ? 'shared' : batch}/${index}`, callerNumber: `+1555010${index}` }),
    ),
  );
  await Promise.all(
    batches.map(async (calls, index) => {
      const ids = await store(agent, ...calls.toReversed());
      await read(agent, ...ids.map((callId) => ({ callId, analysis: makeAnalysis({ signals: [failing], visits }) })));
      await scoreIssues(
        database.within(agent.workspaceId),
        testKnowledge.catalogue,
        agent.agentId,
        index % 2 === 0 ? 'incremental' : 'full',
      );
    }),
  );
  const tables = await evidenceTables(database.em(), agent.agentId);
  expect(tables.agent).toMatchObject({ call_count: 50 });
  expect(tables.issue_rollups).toMatchObject([{ calls: 50 }]);
  expect(tables.issue_calls).toHaveLength(50);
});

function cause(code: string) {
  return { code, label: code, detail: null, category: 'tool', party: 'tool_owner' as const };
}
