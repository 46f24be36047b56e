import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createVault } from '../../src/secrets.ts';
import { recomputeIssues } from '../../src/services/issues/recompute-issues.ts';
import { many, readCalls } from '../support/evidence.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { type Machine, startMachine } from './machine.ts';
import type { WorkerProcess } from './worker-machine.ts';

const vault = createVault(TEST_SECRET);
const DUE_IN_SECONDS = 12;

describe.skipIf(inject('temporalAddress') === null)('a grace period outlives what carries it', () => {
  let machine: Machine;
  let worker: WorkerProcess;
  beforeAll(async () => {
    machine = await startMachine();
    worker = await machine.startWorker();
  });
  afterAll(() => machine?.close());

  /** An agent with one issue that is due in some seconds. */
  async function startWaiting() {
    const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
    const em = machine.database.within(agent.workspaceId);
    await sql`update agents set grace_days = 1 where id = ${agent.agentId}`.execute(em.getKysely());
    await readCalls(machine.database, agent, [
      ...many(3, 'old', { daysAgo: 1 - DUE_IN_SECONDS / 86_400, shows: true }),
      { id: 'ok', daysAgo: 0.5 },
    ]);
    await recomputeIssues(em, agent.agentId, 'incremental');
    const resolutions = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from issue_history where agent_id = ${agent.agentId} and to_status = 'resolved'
      `.execute(machine.database.em().getKysely());
      return rows[0]?.count ?? 0;
    };
    const ordered = () =>
      untilTrue(async () => {
        const { rows } =
          await sql`select 1 from outbox_entries where agent_id = ${agent.agentId} and sent_at is not null`.execute(
            machine.database.em().getKysely(),
          );
        return rows.length > 0;
      });
    return { resolutions, ordered };
  }

  test('the worker is killed while it waits: another resolves the issue, once', async () => {
    const { resolutions, ordered } = await startWaiting();
    await ordered();
    await sleep(1_000);
    worker.child.kill('SIGKILL');
    await worker.ended;
    expect(await resolutions()).toBe(0);
    worker = await machine.startWorker();
    await untilTrue(async () => (await resolutions()) === 1);
    await sleep(2_000);
    expect(await resolutions()).toBe(1);
  });

  test('Temporal is killed while it waits, over the date: the issue is resolved when it is back', async () => {
    const { resolutions, ordered } = await startWaiting();
    await ordered();
    await machine.killTemporal();
    await sleep(DUE_IN_SECONDS * 1_000);
    expect(await resolutions()).toBe(0);
    await machine.startTemporal();
    await untilTrue(async () => (await resolutions()) === 1);
  }, 300_000);
});
