import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadForAnalysis, markCallsFailed, waitingCallIds } from '../../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { coveredCalls, readCallAllowance } from '../../../src/db/limits/allowance.ts';
import { writePlan } from '../../../src/db/system/plans.ts';
import type { SetAllowances } from '../../../src/domain/limits/plans.ts';
import { newId } from '../../../src/ids.ts';
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

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const rows = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(database.em().getKysely())).rows;

async function makeLimited(set: SetAllowances): Promise<TestAgent> {
  const agent = await makeAgent(database.em(), 'file');
  await writePlan(database.em(), agent.workspaceId, { plan: 'starter', set });
  return agent;
}

/** Calls that started a minute after each other, the first named oldest. @returns their ids, oldest first. */
async function store(agent: TestAgent, names: string[], over: { durationMs?: number; note?: string } = {}) {
  const { note = '', ...facts } = over;
  const importId = newId();
  await storeCalls(database.em(), {
    ...agent,
    importId,
    vault: testVault,
    calls: names.map((name, at) => ({
      payload: { id: name },
      call: makeCall({
        providerCallId: name,
        startedAt: new Date(Date.UTC(2026, 2, 10, 10, at)).toISOString(),
        disconnectionReason: `user_hangup${note}`,
        ...facts,
      }),
    })),
  });
  return waitingCallIds(database.em(), agent.agentId, 1_000);
}

const analyse = async (agent: TestAgent, callIds: string[]) =>
  storeBatch(database.em(), testKnowledge, {
    ...agent,
    analyses: (await loadForAnalysis(database.em(), agent.agentId, callIds)).map(({ callId, payloadDigest }) => ({
      callId,
      payloadDigest,
      analysis: makeAnalysis(),
    })),
  });

const analysedOf = async ({ workspaceId }: TestAgent) =>
  (
    await rows(sql<{ name: string }>`
      select provider_call_id as name from calls where workspace_id = ${workspaceId} and state = 'analysed' order by sort_at, id
    `)
  ).map(({ name }) => name);
const used = async ({ workspaceId }: TestAgent) => (await readCallAllowance(database.em(), workspaceId)).used;
const named = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}-${at}`);

test('the oldest calls are analysed as far as the allowance goes, and the others stay waiting', async () => {
  const agent = await makeLimited({ analysedCalls: 3 });
  const ids = await store(agent, ['a', 'b', 'c', 'd', 'e']);
  const { callIds, heldUntil } = await coveredCalls(database.em(), agent, ids);
  expect(callIds).toEqual(ids.slice(0, 3));
  expect(Date.parse(heldUntil ?? '')).toBeGreaterThan(Date.now());
  await analyse(agent, ids);
  expect(await analysedOf(agent)).toEqual(['a', 'b', 'c']);
  expect(await used(agent)).toBe(3);
  expect(await waitingCallIds(database.em(), agent.agentId, 10)).toEqual(ids.slice(3));
});

test('a call draws one for each 10 minutes started, and one that does not fit holds back the younger ones', async () => {
  const agent = await makeLimited({ analysedCalls: 4 });
  const [long] = await store(agent, ['half an hour'], { durationMs: 1_800_001 });
  await analyse(agent, [long ?? '']);
  expect(await used(agent)).toBe(4);
  const other = await makeLimited({ analysedCalls: 3 });
  const ids = [...(await store(other, ['long'], { durationMs: 1_800_001 }))];
  ids.push(...(await store(other, ['later'])).filter((id) => !ids.includes(id)));
  await analyse(other, ids);
  expect(await analysedOf(other)).toEqual([]);
});

test('agents of one workspace that store at once take exactly the allowance', async () => {
  const first = await makeLimited({ analysedCalls: 50 });
  const agents = [first];
  for (let at = 0; at < 4; at += 1) {
    const agent = { workspaceId: first.workspaceId, agentId: newId() };
    await rows(sql`
      insert into agents (id, workspace_id, name, provider, provider_agent_id, source)
      values (${agent.agentId}, ${agent.workspaceId}, 'Another', 'file', ${agent.agentId}, 'file')`);
    agents.push(agent);
  }
  const work = await Promise.all(
    agents.map(async (agent, at) => ({ agent, ids: await store(agent, named(`agent ${at}`, 40)) })),
  );
  const windows = work.flatMap(({ agent, ids }) =>
    [0, 10, 20, 30].map((at) => ({ agent, ids: ids.slice(at, at + 10) })),
  );
  await Promise.all(windows.map(({ agent, ids }) => analyse(agent, ids)));
  expect(await analysedOf(first)).toHaveLength(50);
  expect(await used(first)).toBe(50);
});

test('a changed call and a second reading of the same one draw nothing again, also when nothing is left', async () => {
  const agent = await makeLimited({ analysedCalls: 2 });
  await analyse(agent, await store(agent, ['a', 'b']));
  const [changed] = await store(agent, ['a'], { note: ' later' });
  await analyse(agent, [changed ?? '']);
  expect(await waitingCallIds(database.em(), agent.agentId, 10)).toEqual([]);
  expect(await used(agent)).toBe(2);
  await rows(sql`update calls set reanalyse = true where agent_id = ${agent.agentId}`);
  const again = await waitingCallIds(database.em(), agent.agentId, 10);
  expect(await coveredCalls(database.em(), agent, again)).toEqual({ callIds: again, heldUntil: null });
  await analyse(agent, again);
  expect(await waitingCallIds(database.em(), agent.agentId, 10)).toEqual([]);
  expect(await used(agent)).toBe(2);
});

test('a call whose analysis failed draws nothing', async () => {
  const agent = await makeLimited({ analysedCalls: 1 });
  const [bad = '', good = ''] = await store(agent, ['bad', 'good']);
  await markCallsFailed(database.em(), [bad], 'It could not be read.');
  await analyse(agent, [good]);
  expect(await analysedOf(agent)).toEqual(['good']);
  expect(await used(agent)).toBe(1);
});

test('a workspace without a limit counts what it uses, and calls of demo agents draw nothing anywhere', async () => {
  const unlimited = await makeAgent(database.em(), 'file');
  await analyse(unlimited, await store(unlimited, named('call', 12)));
  expect(await readCallAllowance(database.em(), unlimited.workspaceId)).toMatchObject({ limit: null, used: 12 });
  const demo = await makeAgent(database.em(), 'demo');
  await writePlan(database.em(), demo.workspaceId, { plan: 'free_org', set: { analysedCalls: 0 } });
  await analyse(demo, await store(demo, named('call', 3)));
  expect(await analysedOf(demo)).toHaveLength(3);
  expect(await used(demo)).toBe(0);
});

test('what was used in a calendar month counts for Free whatever plan it was used on; a paid plan begins anew', async () => {
  const agent = await makeLimited({});
  await analyse(agent, await store(agent, named('call', 5)));
  await writePlan(database.em(), agent.workspaceId, { plan: 'free_org', set: {} });
  expect(await used(agent)).toBe(5);
  await writePlan(database.em(), agent.workspaceId, { plan: 'growth', set: {} });
  expect(await used(agent)).toBe(0);
});
