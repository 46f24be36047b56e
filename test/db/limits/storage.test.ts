import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { storeFailures } from '../../../src/db/imports/failures.ts';
import { storeUploadedLines } from '../../../src/db/imports/import-records.ts';
import { createImport } from '../../../src/db/imports/imports.ts';
import { dropUpload } from '../../../src/db/imports/uploads.ts';
import { dropWords } from '../../../src/db/retention/drop-words.ts';
import { readStorage, settleStorage, writeStorageLimit } from '../../../src/db/system/storage.ts';
import { eraseCalls } from '../../../src/services/erasures/erase-calls.ts';
import { makeAgent, makeCall, type TestAgent, testKnowledge, testVault } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { takeSent } from '../../support/sent-spans.ts';
import { exampleSpans } from '../../support/spans.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const within = (agent: TestAgent) => database.within(agent.workspaceId);
const used = async (agent: TestAgent) => (await readStorage(within(agent), agent.workspaceId, null)).usedBytes;
const settle = (agent: TestAgent) => settleStorage(within(agent), agent.workspaceId, null);

/** As though nothing had been noted: what is there is counted. */
async function countAnew(agent: TestAgent): Promise<number> {
  await sql`update workspace_storage set counted_at = null, bytes = -1 where workspace_id = ${agent.workspaceId}`.execute(
    database.em().getKysely(),
  );
  await settle(agent);
  return used(agent);
}

async function store(agent: TestAgent, ids: readonly string[], words: string): Promise<string[]> {
  const call = (providerCallId: string) => ({ ...makeCall({ providerCallId }), warnings: [words] });
  const { callIds } = await storeCalls(within(agent), {
    workspaceId: agent.workspaceId,
    agentId: agent.agentId,
    importId: null,
    vault: testVault,
    calls: ids.map((id) => ({ payload: { id, words }, call: call(id) })),
  });
  return callIds;
}

test('what comes, changes and goes is added up to what is there', async () => {
  const agent = await makeAgent(database.em());
  const owner = { workspaceId: agent.workspaceId, agentId: agent.agentId };
  const before = await store(agent, ['before'], 'it was there before anybody counted');
  expect(await used(agent)).toBe(0);
  await writeStorageLimit(database.em(), agent.workspaceId, 50);
  await settle(agent);
  await settle(agent);
  const afterFirst = await used(agent);
  expect(afterFirst).toBeGreaterThan(100);

  const ids = await store(agent, ['a', 'b', 'c', 'd'], 'words '.repeat(3_000));
  expect(await used(agent)).toBeGreaterThan(afterFirst + 4 * 18_000);
  expect(await used(agent)).toBe(await countAnew(agent));
  await store(agent, ['a', 'b'], 'shorter');
  expect(await used(agent)).toBe(await countAnew(agent));

  const request = await createImport(within(agent), { ...owner, kind: 'file', limit: null, from: null });
  const lines = [1, 2, 3].map((line) => ({ line, sealedPayload: testVault.seal('x'.repeat(5_000 * line)) }));
  await storeUploadedLines(within(agent), request.importId, lines);
  await storeUploadedLines(within(agent), request.importId, lines);
  const failures = [{ ref: 'line:9', reason: 'no', payload: 'y'.repeat(900) }];
  await storeFailures(within(agent), { ...owner, importId: request.importId, vault: testVault, failures });
  await takeSent({ database, vault: testVault }, owner, exampleSpans('livekit-python-1.8'));
  const most = await used(agent);
  expect(most).toBe(await countAnew(agent));

  await settle(agent);
  await dropUpload(within(agent), request.importId);
  await within(agent).transactional((tx) => dropWords(tx, owner, ids.slice(2)));
  expect(await used(agent)).toBeLessThan(most - 60_000);
  expect(await used(agent)).toBe(await countAnew(agent));
  const knows = { vault: testVault, catalogue: testKnowledge.catalogue };
  await within(agent).transactional((tx) => eraseCalls(tx, knows, owner, [...ids, ...before]));
  expect(await used(agent)).toBe(await countAnew(agent));
  const { rows } = await sql`select from storage_changes where workspace_id = ${agent.workspaceId}`.execute(
    database.em().getKysely(),
  );
  expect(rows).toEqual([]);
});

test('where nothing is bounded, nothing is noted', async () => {
  const agent = await makeAgent(database.em());
  await settle(agent);
  await store(agent, ['a'], 'words');
  const { rows } = await sql`select from storage_changes where workspace_id = ${agent.workspaceId}`.execute(
    database.em().getKysely(),
  );
  expect(rows).toEqual([]);
  expect(await used(agent)).toBe(0);
});

test('many who store at once wait for nobody, and nothing of it is lost', async () => {
  const agent = await makeAgent(database.em());
  await writeStorageLimit(database.em(), agent.workspaceId, 10);
  await settle(agent);
  await settle(agent);
  const request = await createImport(within(agent), { ...agent, kind: 'file', limit: null, from: null });
  await Promise.all(
    Array.from({ length: 20 }, async (_, nth) => {
      const sealedPayload = testVault.seal('z'.repeat(1_000 + nth));
      await storeUploadedLines(within(agent), request.importId, [{ line: nth, sealedPayload }]);
      if (nth % 5 === 0) await settle(agent);
    }),
  );
  expect(await used(agent)).toBe(await countAnew(agent));
});
