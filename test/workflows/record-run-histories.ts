import { sql } from 'kysely';
import { startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { beginRescore, decideRun, reopenErrors } from '../../src/db/runs/decide-runs.ts';
import { insertTest } from '../../src/db/tests/tests.ts';
import { newId } from '../../src/ids.ts';
import { startAutoRun } from '../../src/operations/runs/start-auto-run.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import {
  cellsWorkflowId,
  decideEntry,
  rescoreEntry,
  rescoreWorkflowId,
  retryWorkflowId,
  runEntry,
  runWorkflowId,
} from '../../src/temporal/run-tests.ts';
import { startMachine } from '../faults/machine.ts';
import { TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { DEMO_NOW } from '../support/playing.ts';
import { recordHistory } from '../support/record-history.ts';
import { startRecordingProxy } from '../support/recording-proxy.ts';
import { BOOKING, connectDemo } from '../support/running.ts';
import { makeRun } from '../support/runs.ts';

/**
 * Records the histories of runs at each of their waits: for a person who approves, for nobody, for a second try of
 * errors, cancelled while it was played, repeated, and scored again: `node test/workflows/record-run-histories.ts`. See
 * `record-histories.ts` for when.
 */
const [machine, demo] = await Promise.all([startMachine(), startDemoPlatform({ port: 0, now: DEMO_NOW })]);
const proxy = await startRecordingProxy(demo.url);
const temporal = await createTemporal({ address: machine.temporalAddress() });
const personId = newId();

try {
  await machine.startWorker();
  const agent = await connectDemo(machine.database, createVault(TEST_SECRET), proxy.url);
  const em = () => machine.database.within(agent.workspaceId);
  const db = () => machine.database.em().getKysely();
  const makeTest = async (opening = BOOKING.caller.opening) => {
    const made = { ...agent, title: 'Books', source: 'written', lane: null, expect: 'pass', guard: false } as const;
    const spec = { ...BOOKING, caller: { ...BOOKING.caller, opening } };
    const id = await insertTest(em(), { ...made, spec, sourceCallId: null, generatedFrom: null, createdBy: 'earshot' });
    await sql`update tests set gates = true where id = ${id}`.execute(db());
    return id;
  };
  const statusOf = async (runId: string) =>
    (await sql<{ status: string }>`select status from runs where id = ${runId}`.execute(db())).rows[0]?.status ?? '';
  const until = (runId: string, wanted: readonly string[]) =>
    untilTrue(async () => wanted.includes(await statusOf(runId)), 90_000);
  const over = (runId: string) => until(runId, ['complete', 'refused', 'failed']);
  const order = (runId: string, more = {}) =>
    addToOutbox(em(), { entry: runEntry({ ...agent, runId, agentName: 'Reception', ...more }), ...agent });
  const history = (name: string, workflowId: string) =>
    recordHistory(name, temporal.client.workflow.getHandle(workflowId));
  const budget = (usd: number | null) =>
    sql`update agents set test_budget_usd = ${usd}, auto_runs = true where id = ${agent.agentId}`.execute(db());
  const auto = async (version: number) =>
    (await em().transactional((tx) =>
      startAutoRun(tx, agent.agentId, version, { simulator: null, judge: null, prices: {} }),
    )) ?? '';
  const decide = async (runId: string, decision: 'approved' | 'cancelled') => {
    await decideRun(em(), runId, { decision, reason: null, mode: 'all', personId, message: 'Decided.' });
    await addToOutbox(em(), { entry: decideEntry({ runId }, { decisionId: newId(), decision }), ...agent });
  };

  const first = await makeTest();
  await budget(0.01);
  const approved = await auto(3);
  await until(approved, ['awaiting_approval']);
  await decide(approved, 'approved');
  await over(approved);

  const expired = await makeRun(machine.database, agent, [first], { trigger: 'auto', version: 2 });
  await order(expired, { approvalMs: 2_000 });
  await over(expired);

  await budget(null);
  const other = await makeTest("I'd like to book a cleaning today.");
  proxy.interfere(({ body }) => (JSON.stringify(body ?? '').includes('cleaning today') ? { status: 400 } : null));
  const errored = await makeRun(machine.database, agent, [first, other], { version: 3 });
  await order(errored);
  await over(errored);
  proxy.interfere(() => null);
  await reopenErrors(em(), errored);
  await order(errored, { retry: 1 });
  await over(errored);

  proxy.interfere(({ body }) =>
    JSON.stringify(body ?? '').includes('cleaning today') ? { status: 429, headers: { 'retry-after': '60' } } : null,
  );
  const cancelled = await makeRun(machine.database, agent, [first, other], { version: 3, repeats: 3 });
  await order(cancelled);
  await untilTrue(async () => {
    const { rows } = await sql<{ done: number }>`select cells_done as done from runs where id = ${cancelled}`.execute(
      db(),
    );
    return rows[0]?.done === 1;
  }, 60_000);
  await decide(cancelled, 'cancelled');
  await over(cancelled);
  proxy.interfere(() => null);

  await beginRescore(em(), errored, 'Scored again.');
  await addToOutbox(em(), { entry: rescoreEntry({ ...agent, runId: errored, nth: 1 }), ...agent });
  await untilTrue(async () => {
    const { rows } = await sql<{ open: boolean }>`select rescoring as open from runs where id = ${errored}`.execute(
      db(),
    );
    return rows[0]?.open === false;
  }, 60_000);
  await temporal.client.workflow.getHandle(rescoreWorkflowId(errored, 1)).result();

  await history('run-approved', runWorkflowId(approved));
  await history('run-that-nobody-approved', runWorkflowId(expired));
  await history('run-with-errors', runWorkflowId(errored));
  await history('run-tried-again', retryWorkflowId(errored, 1));
  await history('run-cancelled', runWorkflowId(cancelled));
  await history('cells-in-windows-with-errors', cellsWorkflowId({ runId: errored }, 0));
  await history('cells-in-windows-cancelled', cellsWorkflowId({ runId: cancelled }, 0));
  await history('run-rescored-in-windows', rescoreWorkflowId(errored, 1));
} finally {
  await temporal.close();
  await proxy.close();
  await demo.close();
  await machine.close();
}
