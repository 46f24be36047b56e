import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tellStuckImports } from '../../src/db/imports/stuck-imports.ts';
import { webhookSecretPlace } from '../../src/db/secrets/sealed-places.ts';
import { enqueueDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { loadTry, recordTry } from '../../src/db/webhooks/delivery-tries.ts';
import { forgetBodies, renewDeliveries } from '../../src/db/webhooks/tend-deliveries.ts';
import type { TryResult } from '../../src/domain/delivery/outcome.ts';
import type { WebhookEvent } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { createAddressJudge } from '../../src/outbound/address-judge.ts';
import { makeIssue } from '../support/issues.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

/** Names that the tests resolve; what stands behind them is judged, never connected to. */
const ADDRESSES: Record<string, string[]> = {
  'ci.example.com': ['93.184.215.14'],
  'two.example.com': ['93.184.215.14', '10.1.2.3'],
  'inside.example.com': ['192.168.1.7'],
};

let world: World;
const receivers = createAddressJudge({
  allow: ['10.9.0.0/16'],
  lookup: (hostname, _options, callback) => {
    const found = (ADDRESSES[hostname] ?? []).map((address) => ({ address, family: 4 }));
    if (found.length === 0) callback(new Error(`getaddrinfo ENOTFOUND ${hostname}`), '', 4);
    else callback(null, found);
  },
});

beforeAll(async () => {
  world = await createWorld();
  world.services.receivers = receivers;
});
afterAll(() => world.close());
beforeEach(async () => {
  await rows(sql`update webhooks set deleted_at = now()`);
});

const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(world.database.em().getKysely())).rows;
const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  world.ask(method, `/app/webhooks${path}`, { as: await world.token(), body });
async function register(given: object = {}): Promise<Loose> {
  const made = await ask('POST', '', { url: 'https://ci.example.com/hook', events: ['run.completed'], ...given });
  expect(made).toMatchObject({ status: 200, body: { id: expect.any(String) } });
  return made.body;
}
const within = () => world.database.within(world.workspaceId);

async function tell(event: WebhookEvent = 'run.completed', eventKey = newId(), agentId = world.agentId): Promise<void> {
  const message = { workspaceId: world.workspaceId, agentId, event, eventKey, body: '{}' };
  await within().transactional((em) => enqueueDeliveries(em, message));
}
const logOf = async (id: string, query = ''): Promise<Loose> => (await ask('GET', `/${id}/deliveries${query}`)).body;

async function tryOnce(webhookId: string, deliveryId: string, result: TryResult, again = 0) {
  const { workspaceId } = world;
  return recordTry(within(), { workspaceId, deliveryId, webhookId, again, result, durationMs: 12 });
}
const FAILED: TryResult = { status: 500, retryAfterMs: null };
const OK: TryResult = { status: 200, retryAfterMs: null };

describe('a webhook', () => {
  test('shows its secret once, and keeps it sealed', async () => {
    const made = await register();
    expect(made.secret).toMatch(/^whsec_/);
    const read = await ask('GET', `/${made.id}`);
    const { secret, ...rest } = made;
    expect(read.body).toEqual(rest);
    expect((await ask('GET', '')).body.data).toEqual([rest]);
    const [row] = await rows(sql`select * from webhooks where id = ${made.id}`);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(world.services.vault.open(row.sealed_secret, webhookSecretPlace(world.workspaceId, made.id))).toBe(secret);
    expect(world.logged.join('')).not.toContain(secret);
  });

  test('is not made twice by a repeated request, whose first answer showed the secret', async () => {
    const body = { url: 'https://ci.example.com/', events: ['run.completed'] };
    const as = await world.token();
    const twice = () => world.ask('POST', '/app/webhooks', { as, body, headers: { 'idempotency-key': 'once' } });
    const first = await twice();
    const second = await twice();
    expect([first.status, second.status]).toEqual([200, 409]);
    expect(second.body.error).toMatchObject({
      code: 'idempotency_conflict',
      message: expect.stringContaining(first.body.id),
    });
    expect((await ask('GET', '')).body.data).toHaveLength(1);
  });

  test.each([
    ['http://ci.example.com/', 'https'],
    ['https://inside.example.com/', 'not a public address'],
    ['https://two.example.com/', 'not a public address'],
    ['https://127.0.0.1/', 'not a public address'],
    ['https://0x7f.1/', 'not a public address'],
    ['https://nowhere.example.com/', 'could not be found'],
    ['https://somebody:secret@ci.example.com/', 'user name or password'],
  ])('is refused at an address that may not be reached: %s', async (url, why) => {
    for (const answer of [
      await ask('POST', '', { url, events: ['run.completed'] }),
      await ask('PATCH', `/${(await register()).id}`, { url }),
    ]) {
      expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([
        400,
        'invalid_parameter',
        'url',
      ]);
      expect(answer.body.error.message).toContain(why);
      expect(answer.text).not.toContain('secret@');
    }
  });

  test('may stand in a network that the operator opened, over plain http too', async () => {
    expect((await register({ url: 'http://10.9.1.2:8080/hook' })).url).toBe('http://10.9.1.2:8080/hook');
  });

  test.each([
    { events: [] },
    { events: ['run.completed', 'run.completed'] },
    { events: ['run.exploded'] },
    { url: 'ftp://ci.example.com/' },
    { url: 'https://' },
    { url: `https://ci.example.com/${'a'.repeat(2_000)}` },
    { enabled: true },
    { agentId: 'an agent' },
  ])('is refused with what is wrong with it: %j', async (given) => {
    const answer = await ask('POST', '', { url: 'https://ci.example.com/', events: ['run.completed'], ...given });
    expect(answer.status).toBe(400);
  });

  test('is of an agent of the workspace, and never of a shared demo agent', async () => {
    const other = await world.makeWorkspace();
    const foreign = await world.makeAgent({ workspaceId: other.workspaceId });
    const demo = await world.makeAgent({ readOnly: true });
    const of = (agentId: string) =>
      ask('POST', '', { url: 'https://ci.example.com/', events: ['run.completed'], agentId });
    expect([(await of(foreign)).status, (await of(demo)).status, (await of(world.agentId)).status]).toEqual([
      404, 403, 200,
    ]);
  });

  test('is one of at most twenty', async () => {
    for (let at = 0; at < 20; at += 1) await register();
    const answer = await ask('POST', '', { url: 'https://ci.example.com/', events: ['run.completed'] });
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('at most 20')]);
  });

  test('that changes nothing, or was deleted, says so', async () => {
    const { id } = await register();
    expect((await ask('PATCH', `/${id}`, {})).body.error.code).toBe('invalid_body');
    expect((await ask('DELETE', `/${id}`)).body).toMatchObject({ id, enabled: false });
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      expect((await ask(method, `/${id}`, method === 'PATCH' ? { enabled: true } : undefined)).body.error.code).toBe(
        'webhook_not_found',
      );
    }
  });
});

describe('an event', () => {
  test('is told to those who want it, of the agent that they want it of, while they are switched on', async () => {
    const another = await world.makeAgent();
    const all = await register();
    const one = await register({ agentId: world.agentId });
    const others = await register({ agentId: another });
    const elsewise = await register({ events: ['issue.opened'] });
    const off = await register();
    await ask('PATCH', `/${off.id}`, { enabled: false });
    await tell();
    const told = async ({ id }: Loose) => (await logOf(id)).data.length;
    expect(await Promise.all([all, one, others, elsewise, off].map(told))).toEqual([1, 1, 0, 0, 0]);
  });

  test('reaches an address once, however often it is told', async () => {
    const { id } = await register();
    await tell('run.completed', 'run:1/0');
    await tell('run.completed', 'run:1/0');
    await tell('run.completed', 'run:1/1');
    expect((await logOf(id)).data).toHaveLength(2);
  });

  test('of another workspace stays there', async () => {
    const { id } = await register();
    const other = await world.makeWorkspace();
    const agentId = await world.makeAgent({ workspaceId: other.workspaceId });
    const message = {
      workspaceId: other.workspaceId,
      agentId,
      event: 'run.completed',
      eventKey: 'k',
      body: '{}',
    } as const;
    await world.database.within(other.workspaceId).transactional((em) => enqueueDeliveries(em, message));
    expect((await logOf(id)).data).toEqual([]);
  });

  test('of an issue is told in the transaction of its change, with what changed', async () => {
    const { id } = await register({ events: ['issue.resolved', 'issue.opened'] });
    const issue = await makeIssue(world, world.agentId);
    const as = await world.token();
    const path = `/app/agents/${world.agentId}/issues/${issue.id}/status`;
    expect((await world.ask('POST', path, { as, body: { status: 'resolved' } })).status).toBe(200);
    const { data } = await logOf(id);
    expect(data.map(({ event }: Loose) => event)).toEqual(['issue.resolved']);
    const [row] = await rows(sql`select body, event_key from webhook_deliveries where id = ${data[0].id}`);
    expect(JSON.parse(row.body)).toMatchObject({
      type: 'issue.resolved',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { issueId: issue.id, agentId: world.agentId, status: 'resolved' },
    });
    expect(row.event_key).toMatch(new RegExp(`^issue:${issue.id}/`));
  });

  test('of an import that stands still comes after a quarter of an hour, once for each wait', async () => {
    const { id } = await register({ events: ['import.stuck'] });
    const importId = newId();
    const stuckFor = (minutes: number) =>
      rows(sql`
      insert into imports (id, workspace_id, agent_id, kind, status, waits_for, stuck_since)
      values (${importId}, ${world.workspaceId}, ${world.agentId}, 'manual', 'running', 'waits for the platform: rate limit',
        now() - ${minutes} * interval '1 minute')
      on conflict (id) do update set stuck_since = excluded.stuck_since`);
    await stuckFor(14);
    await tellStuckImports(within(), world.workspaceId);
    expect((await logOf(id)).data).toEqual([]);
    await stuckFor(16);
    await tellStuckImports(within(), world.workspaceId);
    await tellStuckImports(within(), world.workspaceId);
    expect((await logOf(id)).data).toHaveLength(1);
    await stuckFor(20);
    await tellStuckImports(within(), world.workspaceId);
    expect((await logOf(id)).data).toHaveLength(2);
    const [row] = await rows(sql`select body from webhook_deliveries where webhook_id = ${id} limit 1`);
    expect(JSON.parse(row.body).data).toMatchObject({ importId, waitsFor: 'waits for the platform: rate limit' });
    await rows(sql`delete from imports where id = ${importId}`);
  });
});

describe('the log', () => {
  test('walks all deliveries, newest first, by state and by pages', async () => {
    const { id } = await register();
    for (let at = 0; at < 5; at += 1) await tell();
    const all = (await logOf(id)).data;
    const times = all.map(({ createdAt }: Loose) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    await tryOnce(id, all[0].id, OK);
    expect((await logOf(id, '?state=delivered')).data.map((each: Loose) => each.id)).toEqual([all[0].id]);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page: Loose = await logOf(id, `?limit=2${cursor}`);
      seen.push(...page.data.map((each: Loose) => each.id));
      if (!page.hasMore) break;
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
    }
    expect(seen).toEqual(all.map((each: Loose) => each.id));
  });

  test('holds every try with its answer, how long it took, and when the next one is', async () => {
    const { id } = await register();
    await tell();
    const [{ id: deliveryId }] = (await logOf(id)).data;
    await tryOnce(id, deliveryId, { status: null, error: 'ci.example.com could not be reached.' });
    await tryOnce(id, deliveryId, FAILED);
    const { body } = await ask('GET', `/${id}/deliveries/${deliveryId}`);
    expect(body).toMatchObject({
      state: 'pending',
      tries: 2,
      lastStatus: 500,
      lastError: 'The receiver answered 500.',
    });
    expect(Date.parse(body.nextTryAt)).toBeGreaterThan(Date.parse(body.lastTriedAt) + 29_000);
    expect(body.log).toEqual([
      { try: 1, at: expect.any(String), status: null, error: 'ci.example.com could not be reached.', durationMs: 12 },
      { try: 2, at: expect.any(String), status: 500, error: null, durationMs: 12 },
    ]);
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ failingSince: expect.any(String), pending: 1 });
    await tryOnce(id, deliveryId, OK);
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ failingSince: null, pending: 0 });
  });

  test('of one webhook shows no delivery of another', async () => {
    const [mine, others] = [await register(), await register()];
    await tell();
    const [{ id }] = (await logOf(others.id)).data;
    const answer = await ask('GET', `/${mine.id}/deliveries/${id}`);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'delivery_not_found']);
    expect((await ask('POST', `/${mine.id}/deliveries/${id}/send-again`)).status).toBe(404);
  });

  test('outlives the bodies, which are deleted after 30 days and can be sent no more', async () => {
    const { id } = await register();
    await tell();
    await tell();
    const [newer, older] = (await logOf(id)).data;
    await tryOnce(id, older.id, OK);
    await rows(sql`update webhook_deliveries set created_at = now() - interval '31 days' where id = ${older.id}`);
    await forgetBodies(within(), world.workspaceId, 30);
    const kept = await rows(sql`select id from webhook_deliveries where webhook_id = ${id} and body is not null`);
    expect(kept).toEqual([{ id: newer.id }]);
    expect((await ask('GET', `/${id}/deliveries/${older.id}`)).body).toMatchObject({ canBeSentAgain: false, tries: 1 });
    const refused = await ask('POST', `/${id}/deliveries/${older.id}/send-again`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'delivery_refused']);
  });
});

describe('an address to which nothing gets through', () => {
  test('has what its receiver says in its own log, and nowhere else', async () => {
    const { id } = await register();
    const hears = await register({ events: ['webhook.off'] });
    await tell();
    const [{ id: deliveryId }] = (await logOf(id)).data;
    const refused: TryResult = { status: 550, refused: 'The address was refused: “no Mary”.', isLasting: true };
    const waits = await tryOnce(id, deliveryId, refused);
    await rows(sql`update webhooks set failing_since = now() - interval '5 days' where id = ${id}`);
    const ended = await tryOnce(id, deliveryId, refused);
    const [told] = await rows(sql`select body from webhook_deliveries where webhook_id = ${hears.id}`);
    for (const text of [waits.words, ended.words, told.body]) {
      expect(text).toContain('The answer was 550.');
      expect(text).not.toContain('Mary');
    }
    expect((await ask('GET', `/${id}`)).body.offReason).toContain('Mary');
  });

  test('is switched off after five days, with the reason, and what waited for it can be sent again', async () => {
    const { id } = await register();
    await tell();
    await tell();
    const [second, first] = (await logOf(id)).data;
    await tryOnce(id, first.id, FAILED);
    await rows(sql`update webhooks set failing_since = now() - interval '4 days 23 hours' where id = ${id}`);
    expect((await tryOnce(id, first.id, FAILED)).state).toBe('failed');
    expect((await ask('GET', `/${id}`)).body.enabled).toBe(true);
    await rows(sql`update webhooks set failing_since = now() - interval '5 days' where id = ${id}`);
    expect((await tryOnce(id, first.id, FAILED)).state).toBe('ended');
    expect((await ask('GET', `/${id}`)).body).toMatchObject({
      enabled: false,
      pending: 0,
      offReason: expect.stringMatching(/^Switched off because nothing got through for 5 days\. The last try: .* 500\./),
    });
    expect((await logOf(id)).data.map(({ state }: Loose) => state)).toEqual(['failed', 'failed']);
    expect(await loadTry(within(), { deliveryId: second.id, again: 0 })).toMatchObject({ ended: expect.any(String) });
    expect(
      await rows(sql`select agent_id from workspace_events where kind = 'webhook.off' and ref = ${id}`),
    ).toHaveLength(1);

    await ask('PATCH', `/${id}`, { enabled: true });
    const answer = await ask('POST', `/${id}/send-again-since`, { since: '2020-01-01T00:00:00Z' });
    expect([answer.status, answer.body.count]).toEqual([200, 2]);
    expect(await loadTry(within(), { deliveryId: second.id, again: 0 })).toMatchObject({ ended: expect.any(String) });
    expect(await loadTry(within(), { deliveryId: second.id, again: 1 })).toMatchObject({ body: '{}', tries: 0 });
    expect((await tryOnce(id, second.id, FAILED, 1)).state).toBe('failed');
  });

  test('stays on as long as anything gets through', async () => {
    const { id } = await register();
    await tell();
    await tell();
    const [second, first] = (await logOf(id)).data;
    await tryOnce(id, first.id, FAILED);
    await rows(sql`update webhooks set failing_since = now() - interval '6 days' where id = ${id}`);
    await tryOnce(id, second.id, OK);
    expect((await tryOnce(id, first.id, FAILED)).state).toBe('failed');
    expect((await ask('GET', `/${id}`)).body.enabled).toBe(true);
  });

  test('has its deliveries given up when their time has passed, with the last answer', async () => {
    const { id } = await register();
    await tell();
    const [{ id: deliveryId }] = (await logOf(id)).data;
    await rows(
      sql`update webhook_deliveries set round_began_at = now() - interval '5 days 2 hours' where id = ${deliveryId}`,
    );
    await tryOnce(id, deliveryId, FAILED);
    expect((await logOf(id)).data[0]).toMatchObject({
      state: 'failed',
      nextTryAt: null,
      lastError: expect.stringMatching(/^Given up after 5 days\. The last try: The receiver answered 500\./),
    });
  });

  test('that is deleted leaves nothing waiting, and nothing that failed', async () => {
    const { id } = await register();
    await tell();
    await ask('DELETE', `/${id}`);
    const [row] = await rows(sql`select id, state from webhook_deliveries where webhook_id = ${id}`);
    expect(row.state).toBe('dropped');
    expect(await loadTry(within(), { deliveryId: row.id, again: 0 })).toEqual({
      ended: 'The webhook was deleted before this got through.',
    });
    // A message that was on its way then changes nothing.
    expect((await tryOnce(id, row.id, FAILED)).state).toBe('ended');
  });
});

describe('what Temporal lost', () => {
  test('is ordered again once its try is long overdue', async () => {
    const { id } = await register();
    await tell();
    expect(await renewDeliveries(within(), world.workspaceId)).toBe(0);
    await rows(sql`update webhook_deliveries set next_try_at = now() - interval '11 minutes' where webhook_id = ${id}`);
    expect(await renewDeliveries(within(), world.workspaceId)).toBe(1);
    const [{ id: deliveryId }] = (await logOf(id)).data;
    const orders = await rows(
      sql`select workflow_id from outbox_entries where workflow_id = ${`delivery/${deliveryId}`}`,
    );
    expect(orders).toHaveLength(2);
  });
});
