import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyCalibration, findTest } from '../../../src/db/tests/tests.ts';
import { makeAgent } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeRun, makeTests, type OwnedAgent } from '../../support/runs.ts';

let database: TestDatabase;
let agent: OwnedAgent;
let testIds: string[];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  agent = await makeAgent(database.em());
  testIds = await makeTests(database, agent, 3);
});

const run = (text: ReturnType<typeof sql>) => text.execute(database.em().getKysely());
const at = (index: number) => testIds[index] ?? '';
const gateOf = async (index: number) => {
  const scope = { workspaceId: agent.workspaceId, agentIds: [agent.agentId] };
  const found = await findTest(database.within(agent.workspaceId), scope, at(index));
  return { gates: found?.gates, reason: found?.gateReason };
};
const setCell = (runId: string, index: number, result: string, k: number, n = 3) =>
  run(
    sql`update run_cells set result = ${result}, k = ${k}, n = ${n} where run_id = ${runId} and test_id = ${at(index)}`,
  );
const apply = (runId: string) => applyCalibration(database.within(agent.workspaceId), runId);

test('a calibration lets stable tests gate, takes it from others, and says why', async () => {
  await run(sql`update tests set gates = true where agent_id = ${agent.agentId}`);
  const runId = await makeRun(database, agent, testIds, { kind: 'calibration' });
  await setCell(runId, 0, 'passed', 3);
  await setCell(runId, 1, 'flaky', 2);
  await setCell(runId, 2, 'failed', 0);
  await apply(runId);
  await apply(runId);
  expect(await gateOf(0)).toMatchObject({ gates: true, reason: expect.stringContaining('3 of 3') });
  expect(await gateOf(1)).toMatchObject({ gates: false, reason: expect.stringContaining('2 of 3') });
  expect(await gateOf(2)).toMatchObject({ gates: true, reason: expect.stringContaining('0 of 3') });
});

test('it leaves a test alone of which something else is asked or expected by now', async () => {
  const runId = await makeRun(database, agent, testIds, { kind: 'calibration' });
  for (const index of [0, 1, 2]) await setCell(runId, index, 'passed', 3);
  await run(sql`update tests set revision = 2 where id = ${at(0)}`);
  await run(sql`insert into test_revisions (test_id, revision, workspace_id, agent_id, spec, created_by)
    select test_id, 2, workspace_id, agent_id, spec, created_by from test_revisions where test_id = ${at(0)}`);
  await run(sql`update tests set expect = 'fail' where id = ${at(1)}`);
  await apply(runId);
  expect(await gateOf(0)).toEqual({ gates: false, reason: 'Not calibrated yet.' });
  expect(await gateOf(1)).toEqual({ gates: false, reason: 'Not calibrated yet.' });
  expect((await gateOf(2)).gates).toBe(true);
});

test('an ordinary run changes no gate', async () => {
  const runId = await makeRun(database, agent, testIds);
  for (const index of [0, 1, 2]) await setCell(runId, index, 'passed', 3);
  await apply(runId);
  expect((await gateOf(0)).gates).toBe(false);
});
