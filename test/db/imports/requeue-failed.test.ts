import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { readUploadedLines, requeueFailedCalls, storeUploadedLines } from '../../../src/db/imports/import-records.ts';
import { newId } from '../../../src/ids.ts';
import { makeAgent, makeCall, testVault } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('calls whose analysis failed are taken up page by page, each once, though it fails again meanwhile', async () => {
  const { workspaceId, agentId } = await makeAgent(database.em());
  const em = database.within(workspaceId);
  const importId = newId();
  const calls = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ payload: { id }, call: makeCall({ providerCallId: id }) }));
  const { callIds } = await storeCalls(em, { workspaceId, agentId, importId, vault: testVault, calls });
  const fail = () =>
    sql`update calls set state = 'failed', state_reason = 'No.' where agent_id = ${agentId}`.execute(
      database.em().getKysely(),
    );
  await fail();
  const seen: string[] = [];
  for (let after: string | null = null; ; ) {
    const page = await requeueFailedCalls(em, { agentId, importId }, after, 2);
    seen.push(...page);
    if (page.length < 2) break;
    after = page.at(-1) ?? null;
    await fail();
  }
  expect(seen).toEqual(callIds.toSorted());
});

test('uploaded lines are read in pages that hold no more bytes than they may, and one line in any case', async () => {
  const agent = await makeAgent(database.em());
  const em = database.within(agent.workspaceId);
  const importId = newId();
  const sizes = [10, 10, 100, 10, 10];
  const lines = sizes.map((size, at) => ({ line: at + 1, sealedPayload: 'x'.repeat(size) }));
  await storeUploadedLines(em, importId, lines);
  const page = async (after: number, most: { lines: number; bytes: number }) => {
    const read = await readUploadedLines(em, importId, after, most);
    return [read.lines.map(({ line }) => line), read.isCut];
  };
  expect(await page(0, { lines: 5, bytes: 50 })).toEqual([[1, 2], true]);
  expect(await page(2, { lines: 5, bytes: 50 })).toEqual([[3], true]);
  expect(await page(3, { lines: 5, bytes: 50 })).toEqual([[4, 5], false]);
  expect(await page(0, { lines: 2, bytes: 50 })).toEqual([[1, 2], false]);
  expect(await page(5, { lines: 5, bytes: 50 })).toEqual([[], false]);
});
