import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { insertChannel } from '../../src/db/channels/channels.ts';
import { announce } from '../../src/db/webhooks/announce.ts';
import { enqueueDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { insertWebhook } from '../../src/db/webhooks/webhooks.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Machine, startMachine } from './machine.ts';
import type { WorkerProcess } from './worker-machine.ts';

const vault = createVault(TEST_SECRET);
const BODY = '{"schemaVersion": 1,  "text": "naïve"}';

describe.skipIf(inject('temporalAddress') === null)('a webhook is delivered whatever is killed', () => {
  let machine: Machine;
  let worker: WorkerProcess;
  let receiver: Receiver;
  let mail: MailServer;
  const startWorker = () =>
    machine.startWorker({
      EARSHOT_SMTP_URL: mail.url,
      EARSHOT_MAIL_FROM: 'earshot@mail.example.com',
      EARSHOT_MAIL_DOMAINS: 'example.com',
    });
  beforeAll(async () => {
    [machine, mail] = await Promise.all([startMachine(), startMailServer()]);
    worker = await startWorker();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());
  afterAll(async () => {
    await machine?.close();
    await mail?.close();
  });

  /** One event for the receiver. @returns what its row says. */
  async function tell() {
    const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
    const em = machine.database.within(agent.workspaceId);
    const sealedSecret = vault.seal(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
    const made = { ...agent, url: receiver.url, events: ['run.completed'] as const, sealedSecret, createdBy: newId() };
    const webhookId = await insertWebhook(em, made, 20);
    await em.transactional((tx) =>
      enqueueDeliveries(tx, { ...agent, event: 'run.completed', eventKey: 'run:1/0', body: BODY }),
    );
    return async () => {
      const { rows } = await sql<{ state: string; tries: number; log: number }>`
        select state, tries, (select count(*)::int from webhook_tries t where t.delivery_id = d.id) as log
        from webhook_deliveries d where webhook_id = ${webhookId}
      `.execute(machine.database.em().getKysely());
      return rows[0];
    };
  }

  test('a worker dies between sending and logging: the same message comes again, under the same id', async () => {
    // Taken, but never answered: the worker cannot know.
    receiver.answerWith((_, nth) => (nth === 1 ? 'hang' : { status: 200 }));
    const row = await tell();
    await untilTrue(async () => receiver.received.length === 1);
    worker.child.kill('SIGKILL');
    await worker.ended;
    expect(await row()).toMatchObject({ state: 'pending', tries: 0 });
    worker = await startWorker();
    await untilTrue(async () => (await row())?.state === 'delivered');
    expect(await row()).toMatchObject({ tries: 1, log: 1 });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(receiver.received.map(({ body }) => body.toString())).toEqual([BODY, BODY]);
  }, 180_000);

  test('a worker dies between sending a mail and logging it: the same mail comes again', async () => {
    mail.forgetToAnswer();
    const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
    const { workspaceId, agentId } = agent;
    const subscription = { minSeverity: null, agentId: null, timeZone: 'UTC', quietHours: null };
    const subscriptions = [
      { ...subscription, events: ['issue.opened' as const], digest: { every: 'immediate' as const } },
    ];
    const sealedAddress = vault.seal('{"by": "email", "to": "team@example.com"}');
    const channel = {
      kind: 'email',
      personId: null,
      name: 'Team',
      shownAddress: '',
      threads: true,
      agreed: '*',
    } as const;
    const em = machine.database.within(workspaceId);
    await insertChannel(em, { ...channel, workspaceId, sealedAddress, subscriptions, createdBy: newId() }, 20);
    const told = {
      event: 'issue.opened',
      eventKey: 'one',
      at: new Date().toISOString(),
      data: { title: 'One' },
    } as const;
    await em.transactional((tx) => announce(tx, agentId, [told]));
    await untilTrue(async () => mail.received.length === 1);
    worker.child.kill('SIGKILL');
    await worker.ended;
    worker = await startWorker();
    const states = sql<{ state: string }>`select state from webhook_deliveries where workspace_id = ${workspaceId}`;
    await untilTrue(async () => {
      const { rows } = await states.execute(machine.database.em().getKysely());
      return rows.length === 1 && rows[0]?.state === 'delivered';
    });
    const [first, second, ...more] = mail.received;
    expect(more).toEqual([]);
    expect(first?.headers['message-id']).toMatch(/^<[0-9a-f-]{36}@mail\.example\.com>$/);
    expect(second?.headers['message-id']).toBe(first?.headers['message-id']);
  }, 180_000);

  test('Temporal is away when the event happens: it is delivered when it is back', async () => {
    await machine.killTemporal();
    const row = await tell();
    await sleep(2_000);
    expect(receiver.received).toEqual([]);
    await machine.startTemporal();
    await untilTrue(async () => (await row())?.state === 'delivered');
    expect(receiver.received).toHaveLength(1);
  }, 300_000);

  test('PostgreSQL goes away while the receiver takes its time: the try is logged when it is back', async () => {
    let answered = false;
    receiver.answerWith((_, nth) => (nth === 1 && !answered ? 'hang' : { status: 200 }));
    const row = await tell();
    await untilTrue(async () => receiver.received.length === 1);
    answered = true;
    await machine.killPostgres();
    await sleep(20_000);
    await machine.startPostgres();
    await untilTrue(async () => (await row())?.state === 'delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  }, 300_000);
});
