import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { analyseEntry } from '../../src/temporal/agent-coordinator.ts';
import { aboutCalls, type ModelServer, startModelServer } from '../support/model-server.ts';
import { failingCall, GOOD_ANSWER, modelSettings, NANO_OF_A_QUESTION } from '../support/model-world.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { shareMachine } from './shared-machine.ts';
import type { WorkerMachine, WorkerProcess } from './worker-machine.ts';

const CALLS = 40;
const KILLS = 3;

interface Question {
  subject: string;
  ask: number;
  nano: number;
  settled: boolean;
}

describe.skipIf(inject('temporalAddress') === null)('workers that are killed while they ask a model', () => {
  let machine: WorkerMachine;
  let server: ModelServer;
  let worker: WorkerProcess;
  let agent: StoredAgent;
  const vault = createVault(TEST_SECRET);

  beforeAll(async () => {
    [machine, server] = await Promise.all([shareMachine(), startModelServer()]);
    server.answerWith(() => ({ value: GOOD_ANSWER }));
    agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
    worker = await machine.startWorker(modelSettings(server));
  });
  afterAll(async () => {
    await machine?.close();
    await server?.close();
  });

  const rows = async <Row>(query: ReturnType<typeof sql<Row>>) =>
    (await query.execute(machine.database.em().getKysely())).rows;
  const open = async () => {
    const [row] = await rows(sql<{ waiting: number; over: number }>`
      select count(*) filter (where state in ('waiting', 'read'))::int as waiting,
        count(*) filter (where state in ('done', 'dropped'))::int as over
      from model_readings where agent_id = ${agent.agentId}`);
    return row ?? { waiting: 0, over: 0 };
  };

  test('leave every call read or given up, no question asked a fourth time, and each charged once', async () => {
    const em = machine.database.within(agent.workspaceId);
    const calls = Array.from({ length: CALLS }, () => failingCall(newId()));
    const payloads = calls.map((call) => ({ payload: { id: call.providerCallId }, call }));
    await storeCalls(em, { ...agent, importId: null, vault, calls: payloads });
    await addToOutbox(em, { entry: analyseEntry({ ...agent, pollSeconds: null }, { messageId: newId() }), ...agent });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const asked = server.asked.length + 4;
      await untilTrue(async () => server.asked.length >= asked || (await open()).over === CALLS);
      worker.child.kill('SIGKILL');
      await worker.ended;
      worker = await machine.startWorker(modelSettings(server));
    }
    await untilTrue(async () => (await open()).over === CALLS);

    const ledger = await rows(sql<Question>`
      select subject, ask, charged_nano_usd::float8 as nano, settled_at is not null as settled
      from model_usage where purpose = 'call_reading' order by subject, ask`);
    const byCall = Map.groupBy(ledger, ({ subject }) => subject);
    expect(byCall.size).toBe(CALLS);
    for (const questions of byCall.values()) {
      expect(questions.map(({ ask }) => ask)).toEqual(questions.map((_, at) => at + 1));
      expect(questions.length).toBeLessThanOrEqual(3);
      expect(questions.filter(({ settled }) => settled).length).toBeLessThanOrEqual(1);
    }
    // A question is written down before it is asked: the endpoint never saw one that nobody was charged for.
    expect(aboutCalls(server).length).toBeLessThanOrEqual(ledger.length);
    expect(ledger.filter(({ settled }) => settled).every(({ nano }) => nano === NANO_OF_A_QUESTION)).toBe(true);
    const [read] = await rows(sql<{ calls: number }>`
      select count(*)::int as calls from calls where agent_id = ${agent.agentId} and state = 'analysed'
        and objective = 'Move an appointment to Friday'`);
    const [done] = await rows(sql<{ calls: number }>`
      select count(*)::int as calls from model_readings where agent_id = ${agent.agentId} and state = 'done'`);
    expect(read).toEqual(done);
    expect(done?.calls).toBeGreaterThanOrEqual(CALLS - KILLS * 4);
  }, 480_000);
});
