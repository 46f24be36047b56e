import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { decideRun } from '../../src/db/runs/decide-runs.ts';
import { insertTest } from '../../src/db/tests/tests.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { decideEntry, runEntry } from '../../src/temporal/run-tests.ts';
import { TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { DEMO_NOW } from '../support/playing.ts';
import { type RecordingProxy, startRecordingProxy } from '../support/recording-proxy.ts';
import { BOOKING, connectDemo } from '../support/running.ts';
import { makeRun, type OwnedAgent } from '../support/runs.ts';
import type { Loose } from '../support/world.ts';
import { type Machine, startMachine } from './machine.ts';
import type { WorkerProcess } from './worker-machine.ts';

const CELLS = 6;
const REPEATS = 3;
/** Answers that one undisturbed booking asks of the platform. */
const ANSWERS_OF_A_CALL = 6;
const AWAY_MS = 30_000;

describe.skipIf(inject('temporalAddress') === null)('a run outlives what carries it', () => {
  let machine: Machine;
  let demo: DemoPlatform;
  let proxy: RecordingProxy;
  let agent: OwnedAgent;
  let worker: WorkerProcess;
  let testIds: string[];

  beforeAll(async () => {
    [machine, demo] = await Promise.all([startMachine(), startDemoPlatform({ port: 0, now: DEMO_NOW })]);
    proxy = await startRecordingProxy(demo.url);
    agent = await connectDemo(machine.database, createVault(TEST_SECRET), proxy.url);
    testIds = [];
    for (let at = 1; at <= CELLS; at += 1) {
      const made = {
        ...agent,
        title: `Books ${at}`,
        source: 'written',
        lane: null,
        expect: 'pass',
        guard: false,
      } as const;
      testIds.push(
        await insertTest(machine.database.within(agent.workspaceId), {
          ...made,
          spec: BOOKING,
          sourceCallId: null,
          generatedFrom: null,
          createdBy: 'earshot',
        }),
      );
    }
    worker = await machine.startWorker();
  }, 300_000);
  afterAll(async () => {
    await machine?.close();
    await proxy?.close();
    await demo?.close();
  });
  beforeEach(() => {
    proxy.requests.length = 0;
    // Slow enough that something is always in the middle of a conversation.
    proxy.delayMs = 150;
  });

  const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
    (await query.execute(machine.database.em().getKysely())).rows;
  const answers = () => proxy.requests.filter(({ path }) => path.startsWith('/agent-playground-completion/'));

  async function start(): Promise<string> {
    const runId = await makeRun(machine.database, agent, testIds, { version: 3, repeats: REPEATS });
    const em = machine.database.within(agent.workspaceId);
    await addToOutbox(em, { entry: runEntry({ ...agent, runId }), ...agent });
    return runId;
  }
  /** Steps of all conversations of a run, as stored. */
  const steps = (runId: string) =>
    rows(sql`select s.attempt_id as "attemptId", s.step, s.turns from attempt_steps s join attempts a on a.id = s.attempt_id
      where a.run_id = ${runId} and s.turns is not null order by 1, 2`);
  const underWay = (runId: string, from: number) => untilTrue(async () => (await steps(runId)).length >= from);

  async function end(runId: string): Promise<void> {
    await untilTrue(async () => {
      const [run] = await rows(sql`select status from runs where id = ${runId}`);
      return ['complete', 'failed', 'refused'].includes(run.status);
    }, 300_000);
  }

  /** Everything that was stored at the moment of the fault is there as it was, and each call is whole and charged once. */
  async function expectWhole(runId: string, before: Loose[], mostRepeated: number): Promise<void> {
    const after = await steps(runId);
    const byKey = new Map(after.map(({ attemptId, step, turns }) => [`${attemptId} ${step}`, turns]));
    for (const { attemptId, step, turns } of before) expect(byKey.get(`${attemptId} ${step}`)).toEqual(turns);
    const [run] = await rows(sql`select status, message, cells_done as done, platform_nano_usd::float8 as cost,
      summary from runs where id = ${runId}`);
    expect(run).toMatchObject({ status: 'complete', done: CELLS, summary: { counts: { passed: CELLS } } });
    const attempts = await rows(
      sql`select attempt, state, result, platform_nano_usd::float8 as cost from attempts where run_id = ${runId}`,
    );
    expect(attempts).toHaveLength(CELLS * REPEATS);
    for (const attempt of attempts) expect(attempt).toMatchObject({ state: 'scored', result: 'passed', cost: 0.02e9 });
    expect(run.cost).toBe(CELLS * REPEATS * 0.02e9);
    const [budget] = await rows(sql`select spent_nano_usd::float8 as spent, settled_at is not null as settled
      from budget_reservations where run_id = ${runId}`);
    expect(budget).toEqual({ spent: run.cost, settled: true });
    const documents = await rows(sql`select score from run_documents where run_id = ${runId}`);
    expect(documents).toEqual([{ score: 0 }]);
    // Asked again at most is what was out when the fault came: one question a conversation.
    const asked = answers().length;
    process.stdout.write(`${asked} answers for ${CELLS * REPEATS} calls, ${before.length} steps stored at the fault\n`);
    expect(asked).toBeGreaterThanOrEqual(CELLS * REPEATS * ANSWERS_OF_A_CALL);
    expect(asked).toBeLessThanOrEqual(CELLS * REPEATS * ANSWERS_OF_A_CALL + mostRepeated);
  }

  test('every worker is killed in mid-conversation, twice: no stored turn is lost, at most the one in flight is repeated', async () => {
    const runId = await start();
    await underWay(runId, 12);
    worker.child.kill('SIGKILL');
    await worker.ended;
    const first = await steps(runId);
    worker = await machine.startWorker();
    await underWay(runId, first.length + 20);
    worker.child.kill('SIGKILL');
    await worker.ended;
    const second = await steps(runId);
    worker = await machine.startWorker();
    await end(runId);
    await expectWhole(runId, [...first, ...second], 2 * CELLS * REPEATS);
  }, 600_000);

  test('PostgreSQL is away for half a minute in mid-conversation: the run goes on where it stood', async () => {
    const runId = await start();
    await underWay(runId, 12);
    await machine.killPostgres();
    await sleep(AWAY_MS);
    await machine.startPostgres();
    const before = await eventually(() => steps(runId));
    await end(runId);
    await expectWhole(runId, before, CELLS * REPEATS);
  }, 600_000);

  test('Temporal is away for half a minute in mid-conversation: the run goes on where it stood', async () => {
    const runId = await start();
    await underWay(runId, 12);
    await machine.killTemporal();
    await sleep(AWAY_MS);
    const before = await steps(runId);
    await machine.startTemporal();
    await end(runId);
    await expectWhole(runId, before, CELLS * REPEATS);
  }, 600_000);

  test('a run waits for approval while everything ends: approved meanwhile, it is played once when all is back', async () => {
    await sql`update agents set test_budget_usd = 0.01 where id = ${agent.agentId}`.execute(
      machine.database.em().getKysely(),
    );
    const em = machine.database.within(agent.workspaceId);
    const runId = await makeRun(machine.database, agent, testIds.slice(0, 2), { version: 3, trigger: 'auto' });
    await addToOutbox(em, { entry: runEntry({ ...agent, runId }), ...agent });
    const status = async () => (await rows(sql`select status from runs where id = ${runId}`))[0]?.status;
    await untilTrue(async () => (await status()) === 'awaiting_approval');
    worker.child.kill('SIGKILL');
    await Promise.all([worker.ended, machine.killTemporal()]);
    const approved = {
      decision: 'approved',
      reason: null,
      mode: 'all',
      personId: newId(),
      message: 'Approved.',
    } as const;
    expect(await decideRun(em, runId, approved)).toBe(true);
    const entry = decideEntry({ runId }, { decisionId: newId(), decision: 'approved' });
    await addToOutbox(em, { entry, ...agent });
    expect(await status()).toBe('awaiting_approval');
    await machine.startTemporal();
    worker = await machine.startWorker();
    await end(runId);
    expect(await rows(sql`select status, cells_done as done from runs where id = ${runId}`)).toEqual([
      { status: 'complete', done: 2 },
    ]);
    expect(await rows(sql`select 1 from attempts where run_id = ${runId}`)).toHaveLength(2);
    expect(answers()).toHaveLength(2 * ANSWERS_OF_A_CALL);
  }, 600_000);
});

/** The connections of before the fault are gone; the next ones work. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  let result: Result | undefined;
  await untilTrue(async () => {
    result = await work();
    return true;
  });
  return result as Result;
}
