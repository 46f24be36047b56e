import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadForAnalysis, waitingCallIds } from '../../../src/db/analysis/load-for-analysis.ts';
import { openPayload } from '../../../src/db/calls/payloads.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { makeAgent, makeCall, type TestAgent, testVault, turn } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const store = (agent: TestAgent, ...calls: ReturnType<typeof makeCall>[]) =>
  storeCalls(database.within(agent.workspaceId), {
    ...agent,
    importId: null,
    vault: testVault,
    calls: calls.map((call) => ({ payload: { raw: call.providerCallId }, call })),
  });

test('a page stored twice changes nothing the second time, and its waiting calls are named again', async () => {
  const agent = await makeAgent(database.em());
  const page = [makeCall({ providerCallId: 'b' }), makeCall({ providerCallId: 'a', startedAt: null, endedAt: null })];
  const first = await store(agent, ...page);
  const before = await snapshot(agent);
  const second = await store(agent, ...page);
  expect(first.unchanged).toBe(0);
  expect(second.callIds.toSorted()).toEqual(first.callIds.toSorted());
  expect(await snapshot(agent)).toEqual(before);
  expect(await waitingCallIds(database.within(agent.workspaceId), agent.agentId, 10)).toHaveLength(2);
});

test('what comes back for the analysis is the call that was stored, without the number of the caller', async () => {
  const agent = await makeAgent(database.em());
  const call = makeCall({ providerCallId: 'c1', callerNumber: '+1 (555) 010-0000' });
  const { callIds } = await store(agent, call);
  const [loaded] = await loadForAnalysis(database.within(agent.workspaceId), agent.agentId, callIds);
  expect(loaded?.call).toEqual({ ...call, callerNumber: null });
  const { rows } = await sql<{ caller_key: string; sealed: Buffer }>`select caller_key, sealed from calls c
    join raw_payloads r on r.call_id = c.id where c.id = ${callIds[0]}`.execute(database.em().getKysely());
  expect(rows[0]?.caller_key).toBe(testVault.keyedHash(agent.workspaceId, '15550100000'));
  const sealed = rows[0]?.sealed ?? Buffer.alloc(0);
  const { workspaceId } = agent;
  expect(openPayload(testVault, { workspaceId, callId: callIds[0] ?? '' }, sealed)).toEqual({ raw: 'c1' });
  expect(() => openPayload(testVault, { workspaceId, callId: agent.agentId }, sealed)).toThrow('authenticate');
});

test('NUL and lone surrogates are stored replaced, and odd figures do not stop the page', async () => {
  const agent = await makeAgent(database.em());
  const { callIds } = await store(
    agent,
    makeCall({ providerCallId: 'odd\u0000id', turns: [turn(0, 'caller', 'a\u0000b \ud800 \ud83d\ude00')] }),
    makeCall({ providerCallId: 'x'.repeat(5000), durationMs: 1e15, version: -3, startedAt: '+020000-01-01T00:00:00Z' }),
    makeCall({ providerCallId: 'plain' }),
  );
  const loaded = await loadForAnalysis(database.within(agent.workspaceId), agent.agentId, callIds);
  const texts = loaded.map(({ call }) => call.turns[0]?.text);
  expect(texts).toContain('a\ufffdb \ufffd \ud83d\ude00');
  const long = loaded.find(({ call }) => call.providerCallId.startsWith('xxx'))?.call;
  expect(long).toMatchObject({ durationMs: 2_147_483_647, version: 0, startedAt: null });
  expect(long?.warnings.join()).toContain('outside the calendar');
});

test('a page that names a call twice keeps its last form', async () => {
  const agent = await makeAgent(database.em());
  const { callIds, unchanged } = await store(
    agent,
    makeCall({ providerCallId: 'twice', durationMs: 1 }),
    makeCall({ providerCallId: 'twice', durationMs: 2 }),
  );
  expect(callIds).toHaveLength(1);
  expect(unchanged).toBe(1);
  const [loaded] = await loadForAnalysis(database.within(agent.workspaceId), agent.agentId, callIds);
  expect(loaded?.call.durationMs).toBe(2);
});

async function snapshot({ agentId }: TestAgent) {
  const { rows } = await sql`select c.*, t.call, r.sealed from calls c join transcripts t on t.call_id = c.id
    join raw_payloads r on r.call_id = c.id where c.agent_id = ${agentId} order by c.id`.execute(
    database.em().getKysely(),
  );
  return rows;
}

test('nesting that no reader could follow is cut, and brackets in words are not nesting', async () => {
  const agent = await makeAgent(database.em());
  const deep = JSON.parse(`${'['.repeat(5000)}1${']'.repeat(5000)}`);
  const brackets = `"${'[{\\"'.repeat(200)}`;
  const result = { id: null, name: 'find', ok: true, okSource: 'flag' as const, latencyMs: null };
  const { callIds } = await store(
    agent,
    makeCall({ providerCallId: 'deep', turns: [{ ...turn(0, 'tool', ''), toolResult: { ...result, body: deep } }] }),
    makeCall({ providerCallId: 'words', turns: [turn(0, 'caller', brackets)] }),
  );
  const loaded = await loadForAnalysis(database.within(agent.workspaceId), agent.agentId, callIds);
  const byId = new Map(loaded.map(({ call }) => [call.providerCallId, call]));
  expect(JSON.stringify(byId.get('deep')?.turns[0]?.toolResult?.body).length).toBeLessThan(300);
  expect(byId.get('words')?.turns[0]?.text).toBe(brackets);
});
