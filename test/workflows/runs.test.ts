import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { runWorkflowId } from '../../src/durable/run.ts';
import { BOOKING, NEVER, openRunningWorld, type RunningWorld } from '../support/running.ts';
import { type OwnedAgent, rowsOf } from '../support/runs.ts';
import { expectFailure, type Loose } from '../support/world.ts';

const address = inject('temporalAddress');
const CELL_USD = 0.04;

describe.skipIf(address === null)('a run of tests', () => {
  let running: RunningWorld;
  let agent: OwnedAgent;
  let person: string;
  const db = () => running.world.database.em().getKysely();
  const setAgent = (column: string, value: number | null) =>
    sql`update agents set ${sql.ref(column)} = ${value} where id = ${agent.agentId}`.execute(db());
  const decide = (runId: string, act: string, body?: object) =>
    running.world.ask('POST', `/app/agents/${agent.agentId}/runs/${runId}/${act}`, {
      as: person,
      ...(body ? { body } : {}),
    });
  const reservation = async (runId: string) => {
    const [row] = await rowsOf<Loose>(
      running.world.database,
      sql`select held_nano_usd::float8 as held, spent_nano_usd::float8 as spent, settled_at is not null as settled,
        test_calls as "testCalls" from budget_reservations where run_id = ${runId}`,
    );
    return row;
  };
  const played = () => running.proxy.requests.filter(({ path }) => path.startsWith('/agent-playground')).length;
  /** As an automatic run is made: nothing else makes one at will. */
  const makeAuto = async (runId: string) =>
    sql`update runs set trigger = 'auto', api_key_id = null where id = ${runId}`.execute(db());

  beforeAll(async () => {
    running = await openRunningWorld(address);
  }, 120_000);
  afterAll(() => running?.close());
  beforeEach(async () => {
    running.sends = true;
    running.proxy.interfere(() => null);
    agent = await running.makeAgent();
    person = await running.world.token();
  });

  test('plays, scores, settles, and answers one document that says what was met and who decided', async () => {
    const passes = await running.makeTest(agent, {}, { gates: true });
    const fails = await running.makeTest(agent, { criteria: NEVER });
    const { body: started } = await running.start(agent, { testIds: [passes, fails] });
    const run = await running.over(agent, started.id);
    expect(run).toMatchObject({
      status: 'complete',
      message: 'The budget covers all of it: 2 cells.',
      progress: { completed: 2, total: 2 },
      summary: { cells: 2, scored: 2, counts: { passed: 1, failed: 1 }, passRate: 0.5 },
      // One attempt that passed, and two that failed, at 0.02 each.
      cost: { platformUsd: 0.06, serviceUsd: 0 },
    });
    expect(await reservation(run.id)).toEqual({ held: 2 * CELL_USD * 1e9, spent: 0.06e9, settled: true, testCalls: 2 });
    const answer = await running.world.get(`/v1/agents/${agent.agentId}/runs/${run.id}/result`);
    expect(answer.body).toMatchObject({
      schemaVersion: 1,
      batchId: run.id,
      status: 'complete',
      summary: { cells: 2, gating: 1, passed: 1, failed: 1 },
      cells: [
        { testId: passes, result: 'passed', k: 1, n: 1, criteria: [{ met: true, decidedBy: { kind: 'check' } }] },
        { testId: fails, result: 'failed', k: 0, n: 2, attempts: [{ attempt: 1 }, { attempt: 2 }] },
      ],
    });
    const [stored] = await rowsOf<{ body: string; sha256: string }>(
      running.world.database,
      sql`select body, sha256 from run_documents where run_id = ${run.id}`,
    );
    expect(answer.text).toBe(stored?.body);
    expect(answer.headers['etag']).toBe(`"${stored?.sha256}"`);
    const attempts = await running.world.get(`/v1/agents/${agent.agentId}/attempts?runId=${run.id}`);
    expect(attempts.body.data.map((one: Loose) => [one.testId === passes, one.attempt, one.result]).toSorted()).toEqual(
      [
        [false, 1, 'failed'],
        [false, 2, 'failed'],
        [true, 1, 'passed'],
      ],
    );
    const [first] = attempts.body.data;
    const whole = await running.world.get(`/v1/agents/${agent.agentId}/attempts/${first.id}`);
    expect(whole.body).toMatchObject({ ...first, earlierScores: [], problems: expect.any(Array) });
    expect(whole.body.transcript[0]).toMatchObject({ index: 0, role: 'agent' });
  });
});
