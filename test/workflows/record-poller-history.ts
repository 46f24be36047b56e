import { sql } from 'kysely';
import { createVault } from '../../src/secrets.ts';
import { POLLER_PROGRESS, POLLER_SIGNALS, type PollerProgress, pollerId } from '../../src/temporal/account-poller.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { startMachine } from '../faults/machine.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';
import { retellCall, startStandInPlatform } from '../support/stand-in-platform.ts';

/**
 * Records the poller of an account that finds nothing, then a call, then a limit of the platform, and is paused:
 *
 *     node test/workflows/record-poller-history.ts
 */
const vault = createVault(TEST_SECRET);
const machine = await startMachine();
const platform = await startStandInPlatform();
const temporal = await createTemporal({ address: machine.temporalAddress() });

try {
  const em = machine.database.em();
  const agent = await storeAgent(em, vault, { provider: 'retell', baseUrl: platform.url });
  await sql`update agents set bookmark_at = now()`.execute(em.getKysely());
  const { rows } = await sql<{ id: string }>`select connection_id as id from agents`.execute(em.getKysely());
  await machine.startWorker({ EARSHOT_NO_POLL: '0', EARSHOT_POLL_SECONDS: '2' });
  const poller = temporal.client.workflow.getHandle(pollerId(rows[0]?.id ?? ''));
  const progress = () => poller.query<PollerProgress>(POLLER_PROGRESS);

  await untilTrue(async () => (await progress()).lastLook === 'The last look: 1 agent');
  platform.calls.set('new', retellCall('new', { minutesAgo: 0.01 }));
  await untilTrue(async () => {
    const found = await sql`select 1 from calls where agent_id = ${agent.agentId} and state = 'analysed'`.execute(
      em.getKysely(),
    );
    return found.rows.length === 1;
  });
  platform.next.push({ status: 429, headers: { 'retry-after': '6' } });
  await untilTrue(async () => (await progress()).state === 'waiting');
  await untilTrue(async () => (await progress()).state === 'idle');
  await poller.signal(POLLER_SIGNALS.pause);
  await untilTrue(async () => (await progress()).state === 'paused');
  await recordHistory('poller-of-an-account', poller);
} finally {
  await temporal.close();
  await platform.close();
  await machine.close();
}
