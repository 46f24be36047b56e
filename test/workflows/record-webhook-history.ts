import { sql } from 'kysely';
import { enqueueDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { insertWebhook } from '../../src/db/webhooks/webhooks.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { DELIVERY_SIGNALS, deliveryWorkflowId } from '../../src/temporal/deliver-webhook.ts';
import { startMachine } from '../faults/machine.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { startReceiver } from '../support/receiver.ts';
import { recordHistory } from '../support/record-history.ts';

/**
 * Records the history of a delivery that waited twice, by itself and until it was told to go on, and got through:
 * `node test/workflows/record-webhook-history.ts`. See `record-histories.ts` for when.
 */
const [machine, receiver] = await Promise.all([startMachine(), startReceiver()]);
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);

try {
  await machine.startWorker();
  const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
  const em = machine.database.within(agent.workspaceId);
  const read = async () => {
    const query = sql<{ id: string; state: string; tries: number }>`select id, state, tries from webhook_deliveries`;
    return (await query.execute(em.getKysely())).rows[0];
  };
  receiver.answerWith((_, nth) => ({ status: nth < 3 ? 500 : 200 }));
  const sealedSecret = vault.seal(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  const made = { ...agent, url: receiver.url, events: ['run.completed'] as const, sealedSecret, createdBy: newId() };
  await insertWebhook(em, made, 20);
  await em.transactional((tx) =>
    enqueueDeliveries(tx, { ...agent, event: 'run.completed', eventKey: 'run:1/0', body: '{}' }),
  );
  await untilTrue(async () => (await read())?.tries === 2);
  const handle = temporal.client.workflow.getHandle(deliveryWorkflowId((await read())?.id ?? ''));
  await handle.signal(DELIVERY_SIGNALS.tryNow);
  await untilTrue(async () => (await read())?.state === 'delivered');
  await handle.result();
  await recordHistory('delivery-that-waited', handle);
} finally {
  await temporal.close();
  await receiver.close();
  await machine.close();
}
