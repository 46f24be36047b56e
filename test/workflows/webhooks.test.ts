import { createHmac } from 'node:crypto';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { insertWatch, setWatchState } from '../../src/db/watches/watches.ts';
import { enqueueDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { envelopeBody } from '../../src/domain/delivery/envelope.ts';
import type { WebhookEvent } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { createAddressJudge } from '../../src/outbound/address-judge.ts';
import { deliveryWorkflowId } from '../../src/temporal/deliver-webhook.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { readWatched, spoken } from '../support/watched-calls.ts';
import { writtenWatch } from '../support/watches.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { Loose } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('webhooks, over a real Temporal', () => {
  let worked: WorkedWorld;
  let sending: NodeJS.Timeout;
  const open: Receiver[] = [];

  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    worked.world.services.receivers = createAddressJudge({ allow: ['127.0.0.0/8'] });
    const { database } = worked.world;
    let isSending = false;
    sending = setInterval(() => {
      if (isSending) return;
      isSending = true;
      void sendOutbox({ database, temporal: worked.temporal.gateway }).finally(() => {
        isSending = false;
      });
    }, 50);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((receiver) => receiver.close()));
  });
  afterAll(async () => {
    clearInterval(sending);
    await worked?.close();
  });

  const receiver = async () => {
    const started = await startReceiver();
    open.push(started);
    return started;
  };
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    worked.world.ask(method, `/app/webhooks${path}`, { as: await worked.world.token(), body });
  /** @returns its id and secret. */
  async function register(url: string, agentId = worked.world.agentId): Promise<{ id: string; secret: string }> {
    const { status, body } = await ask('POST', '', { url, events: ['run.completed', 'issue.opened'], agentId });
    expect(status).toBe(200);
    return body;
  }
  async function tell(agentId = worked.world.agentId, event: WebhookEvent = 'run.completed', body = '{"a": "é"}') {
    const { workspaceId, database } = worked.world;
    const message = { workspaceId, agentId, event, eventKey: newId(), body };
    await database.within(workspaceId).transactional((em) => enqueueDeliveries(em, message));
  }
  const log = async (id: string): Promise<Loose[]> => (await ask('GET', `/${id}/deliveries`)).body.data;
  const until = (id: string, state: string) =>
    untilTrue(async () => {
      const all = await log(id);
      return all.length > 0 && all.every((delivery) => delivery.state === state);
    });
  const tried = (id: string, tries: number) => untilTrue(async () => (await log(id))[0]?.tries === tries);

  test('a message carries a stable id, the exact bytes, and a signature that others verify', async () => {
    const well = await receiver();
    const { id, secret } = await register(well.url);
    await tell(undefined, 'run.completed', '{"schemaVersion": 1,  "text": "naïve – 😀"}');
    await until(id, 'delivered');
    const [message] = well.received as [Received];
    expect(message.body.toString()).toBe('{"schemaVersion": 1,  "text": "naïve – 😀"}');
    expect(message.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'earshot',
      'webhook-event': 'run.completed',
      'webhook-id': (await log(id))[0].id,
    });
    verify(message, secret);
    expect(() => new Webhook(secret).verify(`${message.body.toString()} `, message.headers)).toThrow(
      'No matching signature',
    );
    // By hand, after the specification's words.
    const { 'webhook-id': messageId, 'webhook-timestamp': at, 'webhook-signature': signature } = message.headers;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = createHmac('sha256', key).update(`${messageId}.${at}.${message.body.toString()}`).digest('base64');
    expect(signature).toBe(`v1,${signed}`);

    // Histories are kept for as long as an operator likes: they hold neither what was said nor where it went.
    const handle = worked.temporal.gateway.client.workflow.getHandle(deliveryWorkflowId(messageId ?? ''));
    const history = historyToJSON(await handle.fetchHistory());
    const payloads = [...history.matchAll(/"data": ?"([A-Za-z0-9+/=]+)"/g)].map(([, data]) =>
      Buffer.from(data ?? '', 'base64'),
    );
    const readable = `${history} ${payloads.join(' ')}`;
    expect(payloads.join(' ')).toContain(`"deliveryId":"${messageId}"`);
    for (const hidden of ['naïve', secret, new URL(well.url).host]) expect(readable).not.toContain(hidden);
    await ask('DELETE', `/${id}`);
  });

  test('tries keep id and bytes, wait as long as the receiver asks, and end their wait when told', async () => {
    const busy = await receiver();
    busy.answerWith((_, nth) =>
      nth === 1 ? { status: 503, headers: { 'retry-after': '7200' } } : { status: nth === 2 ? 500 : 200 },
    );
    const { id, secret } = await register(busy.url);
    const body = envelopeBody('issue.opened', '2026-03-02T09:15:04.120Z', { issueId: newId() });
    await tell(undefined, 'issue.opened', body);
    await tried(id, 1);
    const [waiting] = await log(id);
    expect(waiting).toMatchObject({ state: 'pending', lastStatus: 503 });
    expect(waiting.lastError).toBe('The receiver answered 503 and asked to wait 7200 seconds.');
    expect(Date.parse(waiting.nextTryAt) - Date.parse(waiting.lastTriedAt)).toBeGreaterThanOrEqual(7_199_000);
    for (const tries of [2, 3]) {
      const again = await ask('POST', `/${id}/deliveries/${waiting.id}/send-again`);
      expect([again.status, again.body.state]).toEqual([200, 'pending']);
      await tried(id, tries);
    }
    await until(id, 'delivered');
    expect(new Set(busy.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(busy.received.map(({ body: bytes }) => bytes.toString()))).toEqual(new Set([body]));
    for (const message of busy.received) verify(message, secret);
    const { body: one } = await ask('GET', `/${id}/deliveries/${waiting.id}`);
    expect(one.log.map(({ try: nth, status }: Loose) => [nth, status])).toEqual([
      [1, 503],
      [2, 500],
      [3, 200],
    ]);
    await ask('DELETE', `/${id}`);
  });

  test('a live watch that begins to fail is told of once, with the figures that say so', async () => {
    const { world } = worked;
    const { workspaceId } = world;
    const agentId = await world.makeAgent();
    const em = () => world.database.within(workspaceId);
    const watchId = await insertWatch(em(), writtenWatch({ workspaceId, agentId }));
    await setWatchState(em(), watchId, 'live');
    const well = await receiver();
    const { body: registered } = await ask('POST', '', { url: well.url, events: ['watch.failing'], agentId });
    const day = (at: number, broken: number, held: number) =>
      readWatched(
        world,
        agentId,
        Array.from({ length: broken + held }, (_, nth) =>
          spoken(`${at} ${nth}`, nth >= broken, new Date(Date.UTC(2026, 2, at, 10)).toISOString()),
        ),
      );
    await day(1, 1, 79);
    await day(2, 8, 2);
    await day(3, 8, 2);
    await until(registered.id, 'delivered');
    expect(well.received).toHaveLength(1);
    const [message] = well.received as [Received];
    verify(message, registered.secret);
    expect(message.headers['webhook-event']).toBe('watch.failing');
    expect(JSON.parse(message.body.toString())).toMatchObject({
      type: 'watch.failing',
      data: { watchId, agentId, name: 'Goodbyes', revision: 1, day: '2026-03-02', recent: { broken: 8, calls: 10 } },
    });
    await ask('DELETE', `/${registered.id}`);
  });

  test('while a secret is rotated, both the new and the old one verify', async () => {
    const well = await receiver();
    const { id, secret: old } = await register(well.url);
    const { body: rotated } = await ask('POST', `/${id}/rotate-secret`);
    expect(rotated.secret).not.toBe(old);
    await tell();
    await until(id, 'delivered');
    const [message] = well.received as [Received];
    verify(message, old);
    verify(message, rotated.secret);
    const end = sql`update webhooks set previous_secret_ends_at = now() where id = ${id}`;
    await end.execute(worked.world.database.em().getKysely());
    await tell();
    await untilTrue(async () => well.received.length === 2);
    const last = well.received[1] as Received;
    verify(last, rotated.secret);
    expect(() => verify(last, old)).toThrow('No matching signature');
    await ask('DELETE', `/${id}`);
  });

  test('410 switches a webhook off at once, with what waits for it; enabled again, what failed is sent again', async () => {
    const gone = await receiver();
    gone.answerWith(() => ({ status: 500 }));
    const { id } = await register(gone.url);
    await tell();
    await tried(id, 1);
    gone.answerWith(() => ({ status: 410 }));
    await tell();
    await until(id, 'failed');
    const { body: off } = await ask('GET', `/${id}`);
    expect(off).toMatchObject({ enabled: false, pending: 0, offReason: expect.stringContaining('410') });
    const { rows: events } =
      await sql`select 1 from workspace_events where kind = 'webhook.off' and ref = ${id}`.execute(
        worked.world.database.em().getKysely(),
      );
    expect(events).toHaveLength(1);
    await tell();
    expect(await log(id)).toHaveLength(2);
    const refused = await ask('POST', `/${id}/send-again-since`, { since: '2020-01-01T00:00:00Z' });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'delivery_refused']);

    gone.answerWith(() => ({ status: 200 }));
    expect((await ask('PATCH', `/${id}`, { enabled: true })).body).toMatchObject({ enabled: true, offReason: null });
    const again = await ask('POST', `/${id}/send-again-since`, { since: '2020-01-01T00:00:00Z' });
    expect([again.status, again.body.count]).toEqual([200, 2]);
    await until(id, 'delivered');
    expect((await log(id)).map(({ sentAgain }) => sentAgain)).toEqual([1, 1]);
    await ask('DELETE', `/${id}`);
  });

  test('a redirect is not followed', async () => {
    const [elsewhere, redirecting] = [await receiver(), await receiver()];
    redirecting.answerWith(() => ({ status: 307, headers: { location: elsewhere.url } }));
    const { id } = await register(redirecting.url);
    await tell();
    await tried(id, 1);
    expect((await log(id))[0]).toMatchObject({ state: 'pending', lastError: expect.stringContaining('redirect') });
    expect(elsewhere.received).toEqual([]);
    await ask('DELETE', `/${id}`);
  });

  test.each(['http://10.0.0.1/', 'https://169.254.169.254/latest', 'https://[::1]/', 'https://[::ffff:10.1.2.3]/'])(
    'an address that is not public is refused at save and again at connect: %s',
    async (url) => {
      const refused = await ask('POST', '', { url, events: ['run.completed'] });
      expect([refused.status, refused.body.error.param]).toEqual([400, 'url']);
      const { id } = await register('http://127.0.0.1:9/');
      await sql`update webhooks set url = ${url} where id = ${id}`.execute(worked.world.database.em().getKysely());
      await tell();
      await tried(id, 1);
      expect((await log(id))[0].lastError).toContain('is not a public address');
      await ask('DELETE', `/${id}`);
    },
  );

  test('an endless answer is cut, and counts by its status', async () => {
    const huge = await receiver();
    huge.answerWith(() => ({ status: 200, text: 'x'.repeat(20_000_000) }));
    const { id } = await register(huge.url);
    await tell();
    await until(id, 'delivered');
    await ask('DELETE', `/${id}`);
  });

  test('a receiver that hangs and one that is dead hold up nobody else', async () => {
    const [well, slow, dying] = [await receiver(), await receiver(), await receiver()];
    const hooks = [await register(well.url), await register(slow.url), await register(dying.url)];
    const [healthy, hanging, dead] = hooks.map(({ id }) => id) as [string, string, string];
    const MESSAGES = 30;
    const median = async (): Promise<number> => {
      well.received.length = 0;
      const startedMs = Date.now();
      for (let at = 0; at < MESSAGES; at += 1) await tell();
      await untilTrue(async () => well.received.length >= MESSAGES);
      const delays = well.received.map(({ atMs }) => atMs - startedMs).sort((a, b) => a - b);
      return delays[Math.floor(MESSAGES / 2)] ?? 0;
    };
    await median();
    const amongWellMs = await median();
    await Promise.all(hooks.map(({ id }) => until(id, 'delivered')));
    slow.answerWith(() => 'hang');
    await dying.close();
    const answered = slow.received.length;
    const hangsFromMs = Date.now();
    const besideMs = await median();
    process.stdout.write(
      `a healthy receiver: ${amongWellMs} ms beside two healthy ones, ${besideMs} ms beside a slow and a dead one\n`,
    );
    const rounds = 1 + Math.floor((Date.now() - hangsFromMs) / 15_000);
    expect(slow.received.length - answered).toBeLessThanOrEqual(5 * rounds);
    // A slow receiver takes 15 seconds, so anything that waits for it is far above this.
    expect(besideMs).toBeLessThan(Math.max(2 * amongWellMs, 7_000));
    await until(healthy, 'delivered');
    const newest = async (id: string) =>
      (await ask('GET', `/${id}/deliveries?state=pending&limit=100`)).body.data as Loose[];
    expect(await newest(dead)).toHaveLength(MESSAGES);
    await untilTrue(async () => (await newest(hanging)).some(({ tries }) => tries > 0));
    const timedOut = (await newest(hanging)).find(({ tries }) => tries > 0);
    expect(timedOut.lastError).toContain('did not answer within 15 seconds');
    for (const { id } of hooks) await ask('DELETE', `/${id}`);
    const left = sql`select 1 from webhook_deliveries where webhook_id in (${hanging}, ${dead}) and state = 'pending'`;
    expect((await left.execute(worked.world.database.em().getKysely())).rows).toEqual([]);
  }, 240_000);

  test('what is rolled back is not delivered', async () => {
    const well = await receiver();
    const { id } = await register(well.url);
    const { workspaceId, agentId, database } = worked.world;
    const message = { workspaceId, agentId, event: 'run.completed', eventKey: 'rolled back', body: '{}' } as const;
    const change = database.within(workspaceId).transactional(async (em) => {
      await enqueueDeliveries(em, message);
      throw new Error('the state change fails');
    });
    await expect(change).rejects.toThrow('the state change fails');
    await tell();
    await until(id, 'delivered');
    expect(await log(id)).toHaveLength(1);
    expect(well.received).toHaveLength(1);
    await ask('DELETE', `/${id}`);
  });
});

function verify(message: Received, secret: string): void {
  new Webhook(secret).verify(message.body.toString(), message.headers);
}
