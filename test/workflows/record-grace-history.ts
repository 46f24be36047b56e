import { sql } from 'kysely';
import { orderGraceLook } from '../../src/db/issues/grace.ts';
import { createVault } from '../../src/secrets.ts';
import { recomputeIssues } from '../../src/services/issues/recompute-issues.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { GRACE_PROGRESS, type GraceProgress, graceId } from '../../src/temporal/grace-period.ts';
import { startMachine } from '../faults/machine.ts';
import { many, readCalls } from '../support/evidence.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';

/**
 * Records the history of a grace workflow that slept to its date, was told that one moved, resolved, and waits without
 * a date: `node test/workflows/record-grace-history.ts`. See `record-histories.ts` for when.
 */
const machine = await startMachine();
const temporal = await createTemporal({ address: machine.temporalAddress() });

try {
  await machine.startWorker();
  const agent = await storeAgent(machine.database.em(), createVault(TEST_SECRET), { provider: 'file', baseUrl: null });
  const em = machine.database.within(agent.workspaceId);
  const status = async () => {
    const { rows } = await sql<{ status: string }>`select status from issues where agent_id = ${agent.agentId}`.execute(
      em.getKysely(),
    );
    return rows[0]?.status;
  };
  const handle = temporal.client.workflow.getHandle(graceId(agent.agentId));
  const waits = (words: RegExp) =>
    untilTrue(async () => words.test((await handle.query<GraceProgress>(GRACE_PROGRESS)).waitsFor));

  await sql`update agents set grace_days = 1 where id = ${agent.agentId}`.execute(em.getKysely());
  await readCalls(machine.database, agent, [
    ...many(3, 'old', { daysAgo: 1 - 8 / 86_400, shows: true }),
    { id: 'ok', daysAgo: 0.5 },
  ]);
  await recomputeIssues(em, agent.agentId, 'incremental');
  await waits(/^Waits until/);
  await orderGraceLook(em, agent.agentId);
  await untilTrue(async () => (await status()) === 'resolved');
  await readCalls(machine.database, agent, [{ id: 'again', daysAgo: 0, shows: true }]);
  await recomputeIssues(em, agent.agentId, 'incremental');
  await waits(/^Nothing has a date/);
  await recordHistory('grace-of-an-agent', handle);
} finally {
  await temporal.close();
  await machine.close();
}
