import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { runEntry } from '../../src/temporal/run-tests.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { captureLive, DESK_ENGINE } from '../support/publishing.ts';
import { makeRun, makeTests, rowsOf } from '../support/runs.ts';
import { makeSpec } from '../support/specs.ts';
import { startRetellWorkshop } from '../support/workshops.ts';
import type { Loose } from '../support/world.ts';
import { shareMachine } from './shared-machine.ts';
import type { WorkerMachine } from './worker-machine.ts';

let machine: WorkerMachine;
beforeAll(async () => {
  machine = await shareMachine();
});
afterAll(() => machine?.close());

/** The kill is at a request that the platform has done and not answered. */
test('a worker killed while it makes a copy leaves nothing at the platform in the end', async () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  const workshop = await startRetellWorkshop(DESK_ENGINE);
  try {
    const place = { baseUrl: workshop.url, apiKey: 'key', providerAgentId: workshop.agentId };
    const agent = await storeAgent(machine.database.em(), createVault(TEST_SECRET), { provider: 'retell', ...place });
    await captureLive(machine.database, agent, createPlatforms({ outbound, demoUrl: null }).adapter('retell'), place);
    const { caller } = makeSpec();
    const spoken = { caller: { ...caller, script: ['Hello?'] }, fixtures: [] };
    const tests = await makeTests(machine.database, agent, 1, {
      ...spoken,
      criteria: [{ id: 'c1', text: 'Ends.', required: true, check: { kind: 'ended_by', by: 'agent' } }],
    });
    const runId = await makeRun(machine.database, agent, tests, { playsCopy: true });
    workshop.troubles = [null, 'stuck'];
    const first = await machine.startWorker();
    const em = machine.database.within(agent.workspaceId);
    await addToOutbox(em, { entry: runEntry({ ...agent, runId }), ...agent });
    await untilTrue(async () => workshop.writes.length === 2);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await machine.startWorker();
    const rows = (query: ReturnType<typeof sql<Loose>>) => rowsOf<Loose>(machine.database, query);
    await untilTrue(async () => {
      const states = await rows(sql`select state from agent_copies where run_id = ${runId}`);
      return states.length > 0 && states.every(({ state }) => state === 'removed');
    });
    expect(
      await rows(sql`select status, summary->'counts'->>'passed' as passed from runs where id = ${runId}`),
    ).toEqual([{ status: 'complete', passed: '1' }]);
    expect([...workshop.made.agents.keys(), ...workshop.made.engines.keys()]).toEqual([]);
    second.child.kill('SIGKILL');
    await second.ended;
  } finally {
    await workshop.close();
    await outbound.close();
  }
});
