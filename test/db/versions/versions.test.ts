import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadForAnalysis } from '../../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { storeVersions, type VersionToStore } from '../../../src/db/versions/versions.ts';
import { makeAgent, makeCall, type TestAgent, testVault } from '../../support/analysed-calls.ts';
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
    calls: calls.map((call) => ({ payload: {}, call })),
  });

const captured = (over: Partial<VersionToStore>): VersionToStore => ({
  version: null,
  providerRef: null,
  isCurrent: true,
  changedAt: '2026-05-01T00:00:00.000Z',
  document: { prompt: 'a' },
  configuration: {
    name: 'a',
    language: null,
    prompt: 'a',
    firstMessage: null,
    model: null,
    voice: null,
    tools: [],
    nodes: [],
    startNodeId: null,
    variables: {},
  },
  ...over,
});

async function versionsOfCalls(agent: TestAgent): Promise<Record<string, number>> {
  const { rows } = await sql<{ ref: string; version: number }>`
    select provider_call_id as ref, version from calls where agent_id = ${agent.agentId}`.execute(
    database.em().getKysely(),
  );
  return Object.fromEntries(rows.map(({ ref, version }) => [ref, version]));
}

async function numbers(agent: TestAgent): Promise<[number, string | null, boolean][]> {
  const { rows } = await sql<{ version: number; ref: string | null; captured: boolean }>`
    select version, provider_ref as ref, config_captured as captured from agent_versions
    where agent_id = ${agent.agentId} order by version`.execute(database.em().getKysely());
  return rows.map(({ version, ref, captured: isCaptured }) => [version, ref, isCaptured]);
}

test('a version that the platform names gets the next number once, whoever meets it first', async () => {
  const agent = await makeAgent(database.em());
  await store(
    agent,
    makeCall({ providerCallId: 'late', startedAt: '2026-05-03T00:00:00.000Z', versionBy: { ref: 'vb' } }),
    makeCall({ providerCallId: 'early', startedAt: '2026-05-02T00:00:00.000Z', versionBy: { ref: 'va' } }),
  );
  await storeVersions(database.within(agent.workspaceId), agent, [
    captured({ providerRef: 'vb' }),
    captured({ providerRef: 'vc', document: { prompt: 'c' } }),
  ]);
  await store(agent, makeCall({ providerCallId: 'again', versionBy: { ref: 'vb' } }));
  expect(await versionsOfCalls(agent)).toEqual({ early: 1, late: 2, again: 2 });
  expect(await numbers(agent)).toEqual([
    [1, 'va', false],
    [2, 'vb', true],
    [3, 'vc', true],
  ]);
});

test('a configuration without a name is told by its content: the same one again is no new version', async () => {
  const agent = await makeAgent(database.em());
  const em = database.within(agent.workspaceId);
  await storeVersions(em, agent, [captured({})]);
  expect(await storeVersions(em, agent, [captured({})])).toBe(0);
  await storeVersions(em, agent, [captured({ document: { prompt: 'b' }, changedAt: '2026-05-10T00:00:00.000Z' })]);
  expect(await numbers(agent)).toEqual([
    [1, null, true],
    [2, null, true],
  ]);
  await store(
    agent,
    makeCall({ providerCallId: 'before', startedAt: '2026-04-01T00:00:00.000Z', versionBy: 'at_start' }),
    makeCall({ providerCallId: 'between', startedAt: '2026-05-05T00:00:00.000Z', versionBy: 'at_start' }),
    makeCall({ providerCallId: 'after', startedAt: '2026-05-11T00:00:00.000Z', versionBy: 'at_start' }),
  );
  expect(await versionsOfCalls(agent)).toEqual({ before: 1, between: 1, after: 2 });
});

test('such a call met again is unchanged', async () => {
  const agent = await makeAgent(database.em());
  const call = () => makeCall({ providerCallId: 'x', versionBy: { ref: 'va' } });
  await store(agent, call());
  const again = await store(agent, call());
  expect(again.callIds).toHaveLength(1);
  expect(await numbers(agent)).toEqual([[1, 'va', false]]);
});

test('what was uploaded for a version of a file agent holds for later ones until the next upload, and for no earlier one', async () => {
  expect(await promptsRead(await makeAgent(database.em(), 'file'))).toEqual([null, 'two', 'two', 'four', 'four']);
});

test('a version that a platform did not show has no configuration', async () => {
  expect(await promptsRead(await makeAgent(database.em(), 'retell'))).toEqual([null, 'two', null, 'four', null]);
});

/** The prompts against which calls of the versions 1 to 5 are read, where 2 and 4 are captured. */
async function promptsRead(agent: TestAgent): Promise<(string | null)[]> {
  const em = database.within(agent.workspaceId);
  const told = (version: number, prompt: string) =>
    captured({ version, document: { prompt }, configuration: { ...captured({}).configuration, prompt } });
  await storeVersions(em, agent, [told(2, 'two'), told(4, 'four')]);
  const versions = [1, 2, 3, 4, 5];
  const { callIds } = await store(
    agent,
    ...versions.map((version) => makeCall({ providerCallId: String(version), version })),
  );
  const loaded = await loadForAnalysis(em, agent.agentId, callIds);
  const promptOf = new Map(loaded.map(({ call, configuration }) => [call.version, configuration?.prompt ?? null]));
  return versions.map((version) => promptOf.get(version) ?? null);
}
