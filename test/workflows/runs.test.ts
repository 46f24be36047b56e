import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { insertWebhook } from '../../src/db/webhooks/webhooks.ts';
import { newId } from '../../src/ids.ts';
import { startAutoRun } from '../../src/operations/runs/start-auto-run.ts';
import { reconcileRuns } from '../../src/services/runs/reconcile-runs.ts';
import { runWorkflowId } from '../../src/temporal/run-tests.ts';
import { untilTrue } from '../support/pipeline.ts';
import { startReceiver } from '../support/receiver.ts';
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
  beforeAll(async () => {
    running = await openRunningWorld(address);
  });
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
    const told = await rowsOf<Loose>(
      running.world.database,
      sql`select kind from workspace_events where ref = ${run.id} order by id`,
    );
    // Made, begun and over, and some cells between.
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(['run.changed']));
    const [first] = attempts.body.data;
    const whole = await running.world.get(`/v1/agents/${agent.agentId}/attempts/${first.id}`);
    expect(whole.body).toMatchObject({ ...first, earlierScores: [], problems: expect.any(Array) });
    expect(whole.body.transcript[0]).toMatchObject({ index: 0, role: 'agent' });
  });

  test('keeps the revisions of its tests and its version, whatever changes before they are played', async () => {
    const testId = await running.makeTest(agent);
    running.sends = false;
    const { body: started } = await running.start(agent, { testIds: [testId], version: 2 });
    const replaced = await running.world.ask('PUT', `/v1/agents/${agent.agentId}/tests/${testId}/spec`, {
      as: running.world.writeKey,
      body: { revision: 1, spec: { ...BOOKING, criteria: NEVER } },
    });
    expect(replaced).toMatchObject({ status: 200, body: { revision: 2 } });
    running.sends = true;
    const run = await running.over(agent, started.id);
    const { cells, targetVersion } = await running.result(agent, run.id);
    expect(cells).toMatchObject([{ testRevision: 1, result: 'passed' }]);
    expect(targetVersion).toMatchObject({ version: 2, configHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
  });

  test('a budget that pays a part has that part played, and says so', async () => {
    const testIds = [await running.makeTest(agent), await running.makeTest(agent)];
    await setAgent('test_budget_usd', CELL_USD + 0.01);
    const { body: started } = await running.start(agent, { testIds });
    const run = await running.over(agent, started.id);
    expect(run).toMatchObject({
      status: 'complete',
      message: "The agent's test budget covers 1 of 2 cells; the other one is not run.",
      cells: { requested: 2, runnable: 1 },
      progress: { completed: 1, total: 1 },
      cost: { platformUsd: 0.02 },
    });
    const { cells, summary } = await running.result(agent, run.id);
    expect(cells.map(({ result }: Loose) => result)).toEqual(['passed', 'not_run']);
    expect(summary).toMatchObject({ passed: 1, notRun: 1 });
    // The test call of the cell that was not played is the plan's again.
    expect(await reservation(run.id)).toMatchObject({ spent: 0.02e9, testCalls: 1 });
  });

  test('two runs for the last of a budget: one is played, the other is refused with a document, and costs nothing', async () => {
    const testId = await running.makeTest(agent);
    await setAgent('test_budget_usd', CELL_USD);
    running.sends = false;
    const [a, b] = [
      await running.start(agent, { testIds: [testId] }),
      await running.start(agent, { testIds: [testId] }),
    ];
    expect([a.status, b.status]).toEqual([201, 201]);
    running.sends = true;
    const runs = [await running.over(agent, a.body.id), await running.over(agent, b.body.id)];
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['complete', 'refused']);
    const refused = runs.find(({ status }) => status === 'refused');
    expect(refused.message).toMatch(
      /^The agent's test budget has 0\.0\d USD left this month, and the run needs up to 0\.04 USD/,
    );
    expect(await reservation(refused.id)).toEqual({ held: 0, spent: 0, settled: true, testCalls: 0 });
    expect(await running.result(agent, refused.id)).toMatchObject({
      status: 'refused',
      summary: { cells: 1, notRun: 1, passed: 0 },
      cells: [{ result: 'not_run', attempts: [] }],
    });
  });

  test('a repeated run plays each cell three times, whatever comes of the first', async () => {
    const testId = await running.makeTest(agent);
    const { body: started } = await running.start(agent, { testIds: [testId], repeats: 3 });
    const run = await running.over(agent, started.id);
    expect(run.cost.platformUsd).toBe(0.06);
    const { cells } = await running.result(agent, run.id);
    expect(cells).toMatchObject([
      { result: 'passed', k: 3, n: 3, attempts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }] },
    ]);
  });

  test('a calibration has a stable test gate', async () => {
    const testId = await running.makeTest(agent);
    const { body: started } = await running.world.ask('POST', `/v1/agents/${agent.agentId}/tests/calibrate`, {
      as: person,
      body: { testIds: [testId] },
    });
    await running.over(agent, started.id);
    const [row] = await rowsOf<Loose>(
      running.world.database,
      sql`select gates, gate_reason from tests where id = ${testId}`,
    );
    expect(row).toMatchObject({ gates: true });
  });

  describe('an automatic run over the budget', () => {
    /** Two cells, of which the budget pays one. */
    async function waiting(): Promise<string> {
      await running.makeTest(agent, {}, { gates: true });
      await running.makeTest(agent, {}, { gates: true });
      await running.makeTest(agent, {}, { gates: false });
      await setAgent('test_budget_usd', CELL_USD);
      await sql`update agents set auto_runs = true where id = ${agent.agentId}`.execute(db());
      const runId = await running.world.database
        .within(agent.workspaceId)
        .transactional((tx) => startAutoRun(tx, agent.agentId, 3, { simulator: null, judge: null, prices: {} }));
      if (runId === null) throw new Error('no automatic run was started');
      return runId;
    }
    const untilWaiting = (runId: string) => running.until(agent, runId, ({ status }) => status === 'awaiting_approval');

    test('waits for a person and says so in the app, in Temporal and to webhooks; approved, all of it is played', async () => {
      const runId = await waiting();
      const run = await untilWaiting(runId);
      expect(run).toMatchObject({
        trigger: 'auto',
        createdBy: null,
        approvedAt: null,
        progress: { completed: 0 },
        cells: { requested: 2, runnable: 1 },
      });
      expect(run.message).toMatch(
        /^Waits for a person to approve 0\.04 USD over the budget until \d+ \w+, \d\d:\d\d UTC\./,
      );
      const handle = running.temporal.gateway.client.workflow.getHandle(runWorkflowId(runId));
      expect(await handle.query('progress')).toMatchObject({ stage: 'waiting for approval', waitsFor: run.message });
      expectFailure(
        await running.world.get(`/v1/agents/${agent.agentId}/runs/${runId}/result`),
        409,
        'run_not_finished',
      );
      const approved = await decide(runId, 'approve');
      expect(approved.status).toBe(200);
      expect(approved.body.approvedAt).not.toBeNull();
      expectFailure(await decide(runId, 'approve'), 409, 'run_decided');
      expectFailure(await decide(runId, 'refuse'), 409, 'run_decided');
      const audit = await running.world.get(`/v1/agents/${agent.agentId}/audit`);
      expect(audit.body.data.map((entry: Loose) => [entry.operation, entry.status, entry.userId])).toEqual([
        ['refuseRun', 409, running.world.personId],
        ['approveRun', 409, running.world.personId],
        ['approveRun', 200, running.world.personId],
      ]);
      const end = await running.over(agent, runId);
      expect(end).toMatchObject({
        status: 'complete',
        cells: { requested: 2, runnable: 2 },
        cost: { platformUsd: 0.04 },
      });
      expect(end.approvedAt).toBe(approved.body.approvedAt);
      expect(await reservation(runId)).toMatchObject({ held: 2 * CELL_USD * 1e9, spent: 0.04e9, testCalls: 2 });
    });

    test('approved for what is covered, it plays that part', async () => {
      const runId = await waiting();
      await untilWaiting(runId);
      await decide(runId, 'approve', { mode: 'covered' });
      expect(await running.over(agent, runId)).toMatchObject({
        status: 'complete',
        cells: { requested: 2, runnable: 1 },
      });
    });

    test('refused, nothing is played and nothing is kept of the budget', async () => {
      const before = played();
      const runId = await waiting();
      await untilWaiting(runId);
      await decide(runId, 'refuse', { reason: 'Too dear.' });
      expect(await running.over(agent, runId)).toMatchObject({
        status: 'refused',
        message: 'Refused by a person: Too dear.',
        approvedAt: null,
      });
      const { body: document } = await running.world.get(`/v1/agents/${agent.agentId}/runs/${runId}/result`);
      expect(document.cells.map(({ reason }: Loose) => reason)).toEqual(Array(2).fill(document.message));
      expect(await reservation(runId)).toEqual({ held: 0, spent: 0, settled: true, testCalls: 0 });
      expect(played()).toBe(before);
    });

    test('nobody decides in time: it is refused', async () => {
      running.sends = false;
      const runId = await waiting();
      await sql`update outbox_entries set start_args = jsonb_set(start_args, '{0,approvalMs}', '500')
        where workflow_id = ${runWorkflowId(runId)}`.execute(db());
      running.sends = true;
      expect(await running.over(agent, runId)).toMatchObject({
        status: 'refused',
        message: 'Nobody approved it in time, so nothing was played.',
      });
    });

    test('of many who approve, refuse and cancel at once, one is first, and that is what happens', async () => {
      const runId = await waiting();
      await untilWaiting(runId);
      const answers = await Promise.all(
        ['approve', 'refuse', 'approve', 'refuse', 'refuse', 'approve'].map(async (act) => ({
          act,
          status: (await decide(runId, act)).status,
        })),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
      const end = await running.over(agent, runId);
      expect(end.status).toBe(winners[0]?.act === 'approve' ? 'complete' : 'refused');
    });

    test('Temporal is away when it is approved: the answer says what it waits for, and it goes on when Temporal is back', async () => {
      const runId = await waiting();
      await untilWaiting(runId);
      running.sends = false;
      const approved = await decide(runId, 'approve');
      expect(approved).toMatchObject({ status: 200, body: { status: 'awaiting_approval' } });
      expect(approved.body.message).toContain('it goes on as soon as Temporal has the message');
      running.sends = true;
      expect((await running.over(agent, runId)).status).toBe('complete');
    });

    test('once a version, however often the version is captured', async () => {
      const runId = await waiting();
      const again = await running.world.database
        .within(agent.workspaceId)
        .transactional((tx) => startAutoRun(tx, agent.agentId, 3, { simulator: null, judge: null, prices: {} }));
      expect(again).toBeNull();
      await decide(runId, 'cancel');
    });
  });

  describe('cancelled', () => {
    test('before it began, nothing is played', async () => {
      const testId = await running.makeTest(agent);
      running.sends = false;
      const { body: started } = await running.start(agent, { testIds: [testId] });
      expect((await decide(started.id, 'cancel', { reason: 'A mistake.' })).status).toBe(200);
      expectFailure(await decide(started.id, 'cancel'), 409, 'run_decided');
      running.sends = true;
      expect(await running.over(agent, started.id)).toMatchObject({
        status: 'refused',
        message: 'Cancelled by a person (A mistake) before a cell was complete.',
        cost: { platformUsd: 0 },
      });
      expectFailure(await decide(started.id, 'cancel'), 409, 'run_decided');
    });

    test('while it is played, complete cells keep their results and the others are not run', async () => {
      const caller = { ...BOOKING.caller, opening: 'A line that the platform stumbles over.' };
      const testIds = [await running.makeTest(agent), await running.makeTest(agent, { caller })];
      running.proxy.interfere(({ body }) =>
        // Soon over: the limit counts for the account, and so holds the other conversation too where this one asks first.
        JSON.stringify(body ?? '').includes('stumbles') ? { status: 429, headers: { 'retry-after': '2' } } : null,
      );
      const { body: started } = await running.start(agent, { testIds });
      await running.until(agent, started.id, ({ progress }) => progress.completed === 1);
      await decide(started.id, 'cancel');
      const run = await running.over(agent, started.id);
      expect(run).toMatchObject({
        status: 'complete',
        message: 'Cancelled by a person: 1 of 2 cells were complete, the others were not run.',
      });
      const { cells } = await running.result(agent, run.id);
      expect(cells.map(({ result }: Loose) => result)).toEqual(['passed', 'not_run']);
      expect(await reservation(run.id)).toMatchObject({ settled: true });
    });
  });

  test('a version that goes live is tested by itself, and what changed without a test is said', async () => {
    await running.makeTest(agent, {}, { gates: true });
    await sql`update agents set auto_runs = true, current_version = 2 where id = ${agent.agentId}`.execute(db());
    await sql`delete from agent_versions where agent_id = ${agent.agentId} and version = 3`.execute(db());
    expect(await running.captureVersions(agent)).toEqual({ captured: 1 });
    expect(await running.captureVersions(agent)).toEqual({ captured: 0 });
    const { data } = (await running.world.get(`/v1/agents/${agent.agentId}/runs`)).body;
    expect(data).toMatchObject([{ trigger: 'auto', version: 3, createdBy: null, cells: { requested: 1 } }]);
    const run = await running.over(agent, data[0].id);
    expect(run.status).toBe('complete');
    expect(run.message).toMatch(/^The budget covers all of it: 1 cell\. Changed without a test: /);
  });

  test('webhooks are told that a run waits, and get its document byte for byte when it is over', async () => {
    const receiver = await startReceiver();
    const sealedSecret = running.world.services.vault.seal(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
    const events = ['run.completed', 'run.awaiting_approval'] as const;
    const made = { ...agent, url: receiver.url, events, sealedSecret, createdBy: newId() };
    await insertWebhook(running.world.database.within(agent.workspaceId), made, 20);
    await running.makeTest(agent, {}, { gates: true });
    await setAgent('test_budget_usd', 0);
    await sql`update agents set auto_runs = true where id = ${agent.agentId}`.execute(db());
    const runId = await running.world.database
      .within(agent.workspaceId)
      .transactional((tx) => startAutoRun(tx, agent.agentId, 3, { simulator: null, judge: null, prices: {} }));
    await running.until(agent, runId ?? '', ({ status }) => status === 'awaiting_approval');
    await decide(runId ?? '', 'approve');
    await running.over(agent, runId ?? '');
    await untilTrue(async () => receiver.received.length === 2);
    const [waits, over] = receiver.received;
    expect(JSON.parse(waits?.body.toString() ?? '')).toMatchObject({
      type: 'run.awaiting_approval',
      data: { runId, agentId: agent.agentId, version: 3 },
    });
    const { text } = await running.world.get(`/v1/agents/${agent.agentId}/runs/${runId}/result`);
    expect(over?.body.toString()).toBe(text);
    expect(over?.headers['webhook-event']).toBe('run.completed');
    await receiver.close();
  });

  test('whose workflow was terminated in Temporal is brought to its end, with its budget and a document', async () => {
    const caller = { ...BOOKING.caller, opening: 'A line that the platform stumbles over.' };
    const testIds = [await running.makeTest(agent), await running.makeTest(agent, { caller })];
    // Refused only once the other cell is complete: what a platform says of its account holds back every cell.
    const other = Promise.withResolvers<void>();
    running.proxy.interfere(async ({ body }) => {
      if (!JSON.stringify(body ?? '').includes('stumbles')) return null;
      await other.promise;
      return { status: 429, headers: { 'retry-after': '60' } };
    });
    const { body: started } = await running.start(agent, { testIds });
    await running.until(agent, started.id, ({ progress }) => progress.completed === 1);
    other.resolve();
    const { gateway } = running.temporal;
    await gateway.client.workflow.getHandle(runWorkflowId(started.id)).terminate('by an operator');
    const tended = { database: running.world.database, temporal: gateway };
    // Something happened to it just now: it is left alone.
    expect(await reconcileRuns(tended)).toBe(0);
    await sql`update runs set updated_at = now() - interval '2 minutes' where id = ${started.id}`.execute(db());
    expect(await reconcileRuns(tended)).toBe(1);
    const run = await running.over(agent, started.id);
    expect(run).toMatchObject({
      status: 'failed',
      message: 'Its workflow was ended in Temporal. Start another. 1 of 2 cells were complete.',
    });
    expect(await reservation(run.id)).toMatchObject({ settled: true });
    const result = await running.result(agent, run.id);
    expect(result).toMatchObject({ status: 'failed', summary: { cells: 2, notRun: 2 } });
    expect(result.cells.map((cell: Loose) => cell.result)).toEqual(['not_run', 'not_run']);
  });

  test('that Temporal has lost goes on from the record', async () => {
    const testId = await running.makeTest(agent);
    running.sends = false;
    const { body: started } = await running.start(agent, { testIds: [testId] });
    await sql`update outbox_entries set sent_at = now() where workflow_id = ${runWorkflowId(started.id)}`.execute(db());
    running.sends = true;
    await sql`update runs set updated_at = now() - interval '2 minutes' where id = ${started.id}`.execute(db());
    await reconcileRuns({ database: running.world.database, temporal: running.temporal.gateway });
    expect((await running.over(agent, started.id)).status).toBe('complete');
  });

  test('errors are tried again by themselves: the other cells keep their rows, and nothing is charged twice', async () => {
    const caller = { ...BOOKING.caller, opening: "I'd like to book a cleaning today." };
    const testIds = [await running.makeTest(agent), await running.makeTest(agent, { caller })];
    running.proxy.interfere(({ body }) =>
      JSON.stringify(body ?? '').includes('cleaning today') ? { status: 400 } : null,
    );
    const { body: started } = await running.start(agent, { testIds });
    const first = await running.over(agent, started.id);
    expect(first.summary.counts).toMatchObject({ passed: 1, error: 1 });
    const retry = () => decide(first.id, 'retry-errors');
    const kept = await rowsOf(
      running.world.database,
      sql`select * from attempts where run_id = ${first.id} and test_id = ${testIds[0]}`,
    );
    running.proxy.interfere(() => null);
    const opened = await retry();
    expect(opened.body).toMatchObject({ status: 'queued', progress: { completed: 1, total: 2 } });
    const second = await running.over(agent, first.id);
    expect(second).toMatchObject({ status: 'complete', summary: { counts: { passed: 2, error: 0 } } });
    expect(
      await rowsOf(
        running.world.database,
        sql`select * from attempts where run_id = ${first.id} and test_id = ${testIds[0]}`,
      ),
    ).toEqual(kept);
    const { cells } = await running.result(agent, first.id);
    expect(cells[1]).toMatchObject({ result: 'passed', k: 1, n: 1 });
    expect(cells[1].attempts.map(({ attempt, result }: Loose) => [attempt, result])).toEqual([
      [1, 'error'],
      [2, 'error'],
      [3, 'passed'],
    ]);
    expect(await reservation(first.id)).toMatchObject({
      spent: second.cost.platformUsd * 1e9,
      settled: true,
      testCalls: 2,
    });
    expectFailure(await retry(), 409, 'run_not_finished');
  });

  test('scored again, without a call: the old result is served until the new one takes its place', async () => {
    const testId = await running.makeTest(agent);
    const { body: started } = await running.start(agent, { testIds: [testId] });
    const run = await running.over(agent, started.id);
    const result = () => running.world.get(`/v1/agents/${agent.agentId}/runs/${run.id}/result`);
    const before = await result();
    const calls = played();
    const rescore = () =>
      running.world.ask('POST', `/v1/agents/${agent.agentId}/runs/${run.id}/rescore`, { as: running.world.writeKey });
    running.sends = false;
    const accepted = await rescore();
    expect(accepted).toMatchObject({ status: 202, body: { status: 'complete' } });
    expectFailure(await rescore(), 409, 'rescore_in_progress');
    expect((await result()).text).toBe(before.text);
    running.sends = true;
    await running.until(agent, run.id, ({ message }) => message === 'Scored again.');
    const after = await result();
    expect(after.body.cells).toMatchObject([{ result: 'passed', k: 1, n: 1 }]);
    expect(played()).toBe(calls);
    const { data } = (await running.world.get(`/v1/agents/${agent.agentId}/attempts?runId=${run.id}`)).body;
    const { body: attempt } = await running.world.get(`/v1/agents/${agent.agentId}/attempts/${data[0].id}`);
    expect(attempt.rescoredAt).not.toBeNull();
    expect(attempt.earlierScores).toHaveLength(1);
    expect((await rescore()).status).toBe(202);
    await running.until(agent, run.id, ({ message }) => message === 'Scored again.');
  });

  test('compared with another run, only what the comparison says differs', async () => {
    const testId = await running.makeTest(agent);
    const one = await running.over(agent, (await running.start(agent, { testIds: [testId] })).body.id);
    const two = await running.over(agent, (await running.start(agent, { testIds: [testId] })).body.id);
    const three = await running.over(agent, (await running.start(agent, { testIds: [testId] })).body.id);
    const own = await running.result(agent, three.id);
    expect(own.comparedTo).toEqual({ batchId: two.id, version: 3 });
    const path = `/v1/agents/${agent.agentId}/runs/${three.id}/result?compareTo=`;
    const other = await running.world.get(`${path}${one.id}`);
    expect(other.body).toEqual({ ...own, comparedTo: { batchId: one.id, version: 3 } });
    expectFailure(await running.world.get(`${path}${three.id}`), 400, 'invalid_parameter', 'compareTo');
    expectFailure(await running.world.get(`${path}${newId()}`), 404, 'run_not_found', 'compareTo');
  });
});
