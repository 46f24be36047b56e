import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eraseSealed } from '../../../src/db/erasures/erase-sealed.ts';
import { findErasure, insertErasure, moveErasure } from '../../../src/db/erasures/erasures.ts';
import { RemovedRows } from '../../../src/db/erasures/removed.ts';
import { beginStep, openAttempt, TakenOverError } from '../../../src/db/runs/attempts.ts';
import { storeStep } from '../../../src/db/runs/store-step.ts';
import { OWN_CALLER } from '../../../src/domain/runs/attempt.ts';
import type { PlayedStep } from '../../../src/domain/runs/played-steps.ts';
import { newId } from '../../../src/ids.ts';
import { completeErasure } from '../../../src/services/erasures/erase-batch.ts';
import { makeAgent, type TestAgent, testVault, turn } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { captureVersion, makeRun, makeTests } from '../../support/runs.ts';
import type { Loose } from '../../support/world.ts';

let database: TestDatabase;
let agent: TestAgent;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  agent = await makeAgent(database.em(), 'file');
});

const em = () => database.within(agent.workspaceId);
const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(database.em().getKysely())).rows;

const ask = (sealedNumber: string | null) =>
  insertErasure(em(), {
    ...agent,
    scope: 'caller',
    callIds: [],
    callerKey: 'k',
    sealedNumber,
    total: 0,
    reason: 'Asked for.',
    requestedBy: newId(),
  });

test('an erasure that failed forgets the number, as one that is complete', async () => {
  const ends = { failed: 'No worker.', complete: null } as const;
  for (const status of ['failed', 'complete'] as const) {
    const { id } = await ask(testVault.seal('+15550100199'));
    expect(await moveErasure(em(), id, ['queued'], status, ends[status])).toBe(true);
    const erasure = await findErasure(em(), agent.agentId, id);
    expect(erasure).toMatchObject({ status, sealedNumber: null, finishedAt: expect.any(String) });
  }
});

test.each([
  ['+15550100199', null],
  [null, expect.stringContaining('were not searched')],
])('an erasure with the number %s reports: %s', async (number, message) => {
  const { id } = await ask(number && testVault.seal(number));
  await completeErasure(em(), { ...agent, erasureId: id });
  expect(await findErasure(em(), agent.agentId, id)).toMatchObject({ status: 'complete', message });
});

test.each(['file', 'ingest'])(
  'records that came by %s and wait to be read are searched for the number',
  async (kind) => {
    const importId = newId();
    const { workspaceId, agentId } = agent;
    await rows(sql`insert into imports (id, workspace_id, agent_id, kind, status)
    values (${importId}, ${workspaceId}, ${agentId}, ${kind}, 'paused')`);
    for (const [at, from] of ['+15550100199', '+15550100198'].entries()) {
      await rows(sql`insert into uploaded_records (import_id, line, workspace_id, sealed_payload)
      values (${importId}, ${at + 1}, ${workspaceId}, ${testVault.seal(JSON.stringify({ from }))})`);
    }
    const removed = new RemovedRows();
    await eraseSealed(em(), testVault, { workspaceId, agentId, number: '1 555 010 0199' }, removed);
    expect(removed.byTable).toEqual({ uploaded_records: 1 });
    expect(await rows(sql`select line from uploaded_records where import_id = ${importId}`)).toEqual([{ line: 2 }]);
  },
);

test('an attempt that is played on while its test is erased leaves no word', async () => {
  await captureVersion(database, agent);
  const [testId = ''] = await makeTests(database, agent, 1);
  const runId = await makeRun(database, agent, [testId]);
  const key = { ...agent, runId, testId, persona: OWN_CALLER, attempt: 1 };
  const { attemptId = '', player = 0 } = (await openAttempt(em(), key)) ?? {};
  const owned = { ...agent, attemptId, player };
  const steps = sql`select step, by, turns is null as begun from attempt_steps
    where attempt_id = ${attemptId} order by step`;
  const said = (step: number): PlayedStep => {
    const turns = [turn(0, 'caller', 'I am Ada.')];
    return { step, by: 'caller', turns, messages: [], state: null, flowSteps: [], noFixture: [], ended: null };
  };
  const play = async () => {
    await beginStep(em(), owned, 0, 'caller');
    await storeStep(em(), owned, said(0), { platformNanoUsd: 0, serviceNanoUsd: 0 }, 'agent');
    await storeStep(em(), owned, said(2), { platformNanoUsd: 7, serviceNanoUsd: 0 }, 'agent');
  };
  await play();
  await expect(play()).rejects.toThrow(TakenOverError);
  expect(await rows(steps)).toEqual([
    { step: 0, by: 'caller', begun: false },
    { step: 1, by: 'agent', begun: true },
    { step: 2, by: 'caller', begun: false },
    { step: 3, by: 'agent', begun: true },
  ]);
  const cost = sql`select platform_nano_usd::int as cost from attempts where id = ${attemptId}`;
  expect(await rows(cost)).toEqual([{ cost: 7 }]);
  await rows(sql`delete from test_revisions where test_id = ${testId}`);
  await rows(sql`delete from attempts where id = ${attemptId}`);
  await rows(sql`delete from attempt_steps where attempt_id = ${attemptId}`);
  await expect(play()).rejects.toThrow(TakenOverError);
  expect(await rows(steps)).toEqual([]);
  expect(await openAttempt(em(), key)).toBeNull();
  expect(await rows(sql`select 1 from attempts where run_id = ${runId}`)).toEqual([]);
});
