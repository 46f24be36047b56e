import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingCallIds } from '../../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { beginImport, createImport, finishImport } from '../../../src/db/imports/imports.ts';
import { noteQuietPoll, pollWindow } from '../../../src/db/imports/polls.ts';
import type { ImportRequestKey } from '../../../src/temporal/import-calls.ts';
import { makeAgent, makeCall, testVault } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const COMPLETE = { status: 'complete', reason: null } as const;
const QUIET = { pages: 1, listed: 0, ongoing: 0, stillFailed: 0, oldestOngoingAt: null };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function newImport() {
  const agent = await makeAgent(database.em());
  const em = database.within(agent.workspaceId);
  await sql`update agents set provider = 'retell', bookmark_at = null, onboarding_step = 'importing' where id = ${agent.agentId}`.execute(
    database.em().getKysely(),
  );
  const first = await createImport(em, { ...agent, kind: 'first', limit: null, from: null });
  return { agent, em, first };
}

const standingOf = async (agentId: string) => {
  const { rows } = await sql<{ bookmark: string | null; step: string }>`
    select bookmark_at as bookmark, onboarding_step as step from agents where id = ${agentId}`.execute(
    database.em().getKysely(),
  );
  return rows[0];
};
const noteOngoing = ({ importId }: ImportRequestKey, minutesAgo: number) =>
  sql`update imports set oldest_ongoing_at = now() - ${minutesAgo} * interval '1 minute' where id = ${importId}`.execute(
    database.em().getKysely(),
  );

test('polls begin where the window of the first import ends, and that ends the onboarding alone', async () => {
  const { agent, em, first } = await newImport();
  expect(await pollWindow(em, agent.agentId)).toBeNull();
  const begun = await beginImport(em, first);
  const window = await pollWindow(em, agent.agentId);
  expect(Date.parse(window?.from ?? '')).toBeLessThan(Date.parse(begun?.plan.to ?? ''));
  if (!window) throw new Error('There is nothing to poll.');
  await noteQuietPoll(em, agent.agentId, window, QUIET);
  expect((await standingOf(agent.agentId))?.step).toBe('importing');
  expect((await standingOf(agent.agentId))?.bookmark).not.toBeNull();
  await finishImport(em, first, COMPLETE);
  expect((await standingOf(agent.agentId))?.step).toBe('done');
});

test('a first import takes the bookmark back to a call that went on when it looked', async () => {
  const { agent, em, first } = await newImport();
  await beginImport(em, first);
  await noteOngoing(first, 180);
  const window = await pollWindow(em, agent.agentId);
  if (!window) throw new Error('There is nothing to poll.');
  await noteQuietPoll(em, agent.agentId, window, QUIET);
  const polled = Date.parse((await standingOf(agent.agentId))?.bookmark ?? '');
  await finishImport(em, first, COMPLETE);
  const backAt = Date.parse((await standingOf(agent.agentId))?.bookmark ?? '');
  expect(polled - backAt).toBeGreaterThan(170 * 60_000);
});

test('calls that an import has stored are left to it for as long as it goes on', async () => {
  const { agent, em, first } = await newImport();
  await beginImport(em, first);
  const calls = ['a', 'b'].map((id) => ({ payload: { id }, call: makeCall({ providerCallId: id }) }));
  const { callIds } = await storeCalls(em, { ...agent, importId: first.importId, vault: testVault, calls });
  const waiting = async (importId: string | null) => (await waitingCallIds(em, agent.agentId, 10, importId)).toSorted();
  expect(await waiting(null)).toEqual([]);
  expect(await waiting(first.importId)).toEqual(callIds.toSorted());
  await finishImport(em, first, { status: 'failed', reason: 'It was lost.' });
  expect(await waiting(null)).toEqual(callIds.toSorted());
});
