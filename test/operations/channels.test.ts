import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enqueueTest, findChannel } from '../../src/db/channels/channels.ts';
import { announce } from '../../src/db/webhooks/announce.ts';
import type { MessageEvent } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { createAddressJudge } from '../../src/outbound/address-judge.ts';
import { makeIssue } from '../support/issues.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.services.sendsMail = true;
  world.services.mailDomains = ['example.com'];
  world.services.receivers = createAddressJudge({
    allow: [],
    lookup: (_hostname, _options, callback) => callback(null, [{ address: '93.184.215.14', family: 4 }]),
  });
});
afterAll(() => world.close());
beforeEach(async () => {
  world.services.sendsMail = true;
  world.services.mailDomains = ['example.com'];
  await rows(sql`update webhooks set deleted_at = now()`);
  await rows(sql`delete from channels`);
});

const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(world.database.em().getKysely())).rows;
const ask = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  world.ask(method, `/app${path}`, { as: await world.token(), body });

const SUBSCRIPTIONS = [{ events: ['issue.opened'] }];
const HOOK = { kind: 'slack', name: '#alerts', url: 'https://hooks.example.com/services/T0/B0/secret' };
const BOT = { kind: 'slack', name: '#alerts', token: 'xoxb-1234567890', conversation: '#alerts' };
const MAIL = { kind: 'email', name: 'The team', address: 'team@example.com' };
const make = (given: object = {}) => ask('POST', '/channels', { ...HOOK, subscriptions: SUBSCRIPTIONS, ...given });
const makeOne = async (given: object = {}): Promise<Loose> => {
  const { status, body } = await make(given);
  expect(status).toBe(200);
  return body;
};
const waiting = async ({ id }: Loose): Promise<Loose[]> => (await ask('GET', `/channels/${id}/messages`)).body.data;

async function tell(event: MessageEvent, data: object = {}, eventKey = newId(), agentId = world.agentId) {
  const facts = { issueId: newId(), agentId, agentName: 'Front desk', title: 'Books twice', ...data };
  await world.database
    .within(world.workspaceId)
    .transactional((em) => announce(em, agentId, [{ event, eventKey, at: '2026-03-02T09:00:00.000Z', data: facts }]));
}

describe('a channel', () => {
  test.each([
    ['an incoming webhook', HOOK, 'hooks.example.com', 'secret'],
    ['a bot', BOT, '#alerts at slack.com', 'xoxb-1234567890'],
    ['an e-mail address', MAIL, 'team@example.com', 'nothing that is secret', 'agree first'],
  ])('by %s shows what may be shown, and keeps the rest sealed', async (_, given, shown, secret, waits?: string) => {
    const answer = await ask('POST', '/channels', { ...given, subscriptions: SUBSCRIPTIONS });
    expect(answer.body).toMatchObject({ object: 'channel', name: given.name, address: shown });
    if (waits === undefined) expect(answer.body.unavailable).toBeNull();
    else expect(answer.body.unavailable).toContain(waits);
    expect(answer.body.subscriptions).toEqual([
      {
        events: ['issue.opened'],
        minSeverity: null,
        agentId: null,
        timeZone: 'UTC',
        quietHours: null,
        digest: { every: 'immediate' },
      },
    ]);
    expect((await ask('GET', `/channels/${answer.body.id}`)).body).toEqual(answer.body);
    expect((await ask('GET', '/channels')).body.data).toEqual([answer.body]);
    expect(answer.text).not.toContain(secret);
    expect(JSON.stringify(await rows(sql`select * from channels`))).not.toContain(secret);
    expect(world.logged.join('')).not.toContain(secret);
    // It is no webhook, though its deliveries are kept beside theirs.
    expect((await ask('GET', '/webhooks')).body.data).toEqual([]);
    expect((await ask('GET', `/webhooks/${answer.body.id}`)).status).toBe(404);
  });

  test.each<[string, object]>([
    ['no event', { subscriptions: [{ events: [] }] }],
    ['an event twice', { subscriptions: [{ events: ['issue.opened', 'issue.opened'] }] }],
    ['an event that nobody knows', { subscriptions: [{ events: ['issue.exploded'] }] }],
    ['an event of programs alone', { subscriptions: [{ events: ['run.completed'] }] }],
    ['no subscription', { subscriptions: [] }],
    ['too many', { subscriptions: Array(21).fill(SUBSCRIPTIONS[0]) }],
    ['a severity that nobody knows', { subscriptions: [{ events: ['issue.opened'], minSeverity: 'bad' }] }],
    ['a place that is none', { subscriptions: [{ events: ['issue.opened'], timeZone: 'Mars/Olympus' }] }],
    ['an offset for a place', { subscriptions: [{ events: ['issue.opened'], timeZone: '+01:00' }] }],
    [
      'hours that are none',
      { subscriptions: [{ events: ['issue.opened'], quietHours: { from: '24:00', to: '7:00' } }] },
    ],
    [
      'a whole day of quiet',
      { subscriptions: [{ events: ['issue.opened'], quietHours: { from: '07:00', to: '07:00' } }] },
    ],
    ['an hour that is none', { subscriptions: [{ events: ['issue.opened'], digest: { every: 'daily', hour: 24 } }] }],
    ['a week without its day', { subscriptions: [{ events: ['issue.opened'], digest: { every: 'weekly', hour: 9 } }] }],
    ['no name', { name: ' ' }],
    ['a name that turns its text', { name: '\u202egnp' }],
    ['an address of another kind', { kind: 'email' }],
    ['two addresses', { token: 'xoxb-1234567890', conversation: 'C1' }],
    ['no web address', { url: 'ftp://hooks.example.com/' }],
    ['a field of its own', { colour: 'red' }],
  ])('with %s is refused', async (_, given) => {
    expect((await make(given)).status).toBe(400);
  });

  test.each([
    ['more than one address', 'a@example.com, b@example.com'],
    ['a header of its own', 'a@example.com\r\nBcc: b@example.com'],
    ['none at all', 'nobody'],
  ])('by e-mail with %s is refused', async (_, to) => {
    const answer = await ask('POST', '/channels', { ...MAIL, address: to, subscriptions: SUBSCRIPTIONS });
    expect(answer.status).toBe(400);
  });

  test.each([
    ['url', { url: 'https://127.0.0.1/hook' }],
    ['url', { url: 'http://hooks.example.com/' }],
    ['url', { url: 'https://somebody:secret@hooks.example.com/' }],
  ])('at an address that may not be reached is refused by its %s: %j', async (param, given) => {
    expect((await make(given)).body.error).toMatchObject({ code: 'invalid_parameter', param });
  });

  test('of a bot at another server is refused where that may not be reached', async () => {
    const answer = await ask('POST', '/channels', { ...BOT, apiUrl: 'https://10.0.0.1', subscriptions: SUBSCRIPTIONS });
    expect(answer.body.error).toMatchObject({ code: 'invalid_parameter', param: 'apiUrl' });
  });

  test('names agents of the workspace alone', async () => {
    const other = await world.makeWorkspace();
    const foreign = await world.makeAgent({ workspaceId: other.workspaceId });
    const of = (agentId: string) => make({ subscriptions: [{ events: ['issue.opened'], agentId }] });
    expect((await of(foreign)).body.error).toMatchObject({ code: 'agent_not_found', param: 'agentId' });
    expect((await of(world.agentId.toUpperCase())).status).toBe(200);
  });

  test('by e-mail goes to addresses that members proved, and to the domains of the operator', async () => {
    const at = async (address: string) => (await make({ ...MAIL_FIELDS, address })).body;
    const strange = expect.objectContaining({ code: 'invalid_parameter', param: 'address' });
    world.services.mailDomains = [];
    const member = await world.makeMember('viewer');
    const own = `${member.personId}@example.com`;
    for (const address of ['ceo@stranger.example', 'team@example.com', own]) {
      expect(await at(address)).toEqual({ error: strange });
    }
    await rows(sql`update people set proved_at = now() where id = ${member.personId}`);
    expect(await at(own.toUpperCase())).toMatchObject({ object: 'channel' });
    expect(await at('team@example.com')).toEqual({ error: strange });
    world.services.mailDomains = ['stranger.example'];
    expect(await at('ceo@Stranger.example')).toMatchObject({ object: 'channel' });
    expect(await at('ceo@another.example')).toEqual({ error: strange });
    world.services.mailDomains = ['*'];
    expect(await at('ceo@another.example')).toMatchObject({ object: 'channel' });
  });

  test('takes five tests an hour, one after the other', async () => {
    const { id } = await makeOne();
    const em = () => world.database.within(world.workspaceId);
    const again = await findChannel(em(), world.workspaceId, (await makeOne()).id);
    const view = await findChannel(em(), world.workspaceId, id);
    if (!view) throw new Error('It was made just now.');
    const enqueue = () => em().transactional((tx) => enqueueTest(tx, view, 'an address', '{}'));
    const ended = () => rows(sql`update webhook_deliveries set state = 'delivered' where webhook_id = ${id}`);
    const atOnce = await Promise.all([enqueue(), enqueue(), enqueue()]);
    expect(atOnce.filter((made) => made !== null)).toHaveLength(1);
    const refused = await ask('POST', `/channels/${id}/test`);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    // The request filled the buckets, as all of these tests do.
    for (let nth = 1; nth <= 5; nth += 1) {
      await ended();
      expect(await enqueue()).not.toBeNull();
    }
    await ended();
    expect(await enqueue()).toBeNull();
    // Another channel to the same address takes no more, one to another address does.
    const another = (key: string) => em().transactional((tx) => again && enqueueTest(tx, again, key, '{}'));
    expect(await another('an address')).toBeNull();
    expect(await another('another')).not.toBeNull();
    await rows(
      sql`update buckets set full_at = full_at - interval '12 minutes' where name = 'address-tests:an address'`,
    );
    expect(await enqueue()).not.toBeNull();
  });

  test('by e-mail needs a mail server, and says so where there is none', async () => {
    const { id } = await makeOne(MAIL_FIELDS);
    world.services.sendsMail = false;
    const refused = await ask('POST', '/channels', { ...MAIL, subscriptions: SUBSCRIPTIONS });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'delivery_refused']);
    expect(refused.body.error.message).toContain('EARSHOT_SMTP_URL');
    expect((await ask('GET', `/channels/${id}`)).body.unavailable).toContain('EARSHOT_SMTP_URL');
    expect((await ask('POST', `/channels/${id}/test`)).body.error.code).toBe('delivery_refused');
    expect((await ask('GET', '/me/notifications')).body.unavailable).toContain('EARSHOT_SMTP_URL');
  });

  test('is one of at most twenty, besides those of members', async () => {
    expect((await ask('PUT', '/me/notifications', { subscriptions: SUBSCRIPTIONS })).status).toBe(200);
    for (let at = 0; at < 20; at += 1) await makeOne();
    expect((await make()).body.error.message).toContain('at most 20');
    expect((await ask('GET', '/channels?limit=100')).body.data).toHaveLength(20);
  });

  test('is changed as far as is said, and is gone when it was deleted', async () => {
    const { id } = await makeOne();
    expect((await ask('PATCH', `/channels/${id}`, {})).body.error.code).toBe('invalid_body');
    const subscriptions = [{ events: ['watch.failing'], digest: { every: 'weekly', hour: 8, day: 'friday' } }];
    const changed = await ask('PATCH', `/channels/${id}`, { subscriptions });
    expect(changed.body).toMatchObject({ name: '#alerts', subscriptions });
    await tell('watch.failing', { watchId: newId() });
    expect((await ask('DELETE', `/channels/${id}`)).body).toMatchObject({ id, enabled: false });
    expect((await ask('GET', `/channels/${id}`)).body.error.code).toBe('channel_not_found');
    expect(await rows(sql`select sealed_address from channels where id = ${id}`)).toEqual([{ sealed_address: null }]);
    expect(await rows(sql`select state from webhook_deliveries where webhook_id = ${id}`)).toEqual([
      { state: 'dropped' },
    ]);
  });
});

const MAIL_FIELDS = { ...MAIL, url: undefined };

describe('a channel is told', () => {
  test('of the events, agents and severities that it asked for, while it is switched on', async () => {
    const another = await world.makeAgent();
    const of = (given: object) => makeOne({ subscriptions: [{ events: ['issue.opened'], ...given }] });
    const channels = [
      await of({}),
      await of({ agentId: another }),
      await of({ minSeverity: 'critical' }),
      await of({ minSeverity: 'high' }),
      await of({ events: ['issue.resolved'] }),
    ];
    const off = await of({});
    await ask('PATCH', `/channels/${off.id}`, { enabled: false });
    await tell('issue.opened', { severity: 'high' });
    const told = await Promise.all([...channels, off].map(async (channel) => (await waiting(channel)).length));
    expect(told).toEqual([1, 0, 0, 1, 0, 0]);
  });

  test('once of one event, however often it is told', async () => {
    const channel = await makeOne();
    const digest = await makeOne({
      subscriptions: [{ events: ['issue.opened'], digest: { every: 'daily', hour: 3 } }],
    });
    for (let at = 0; at < 2; at += 1) await tell('issue.opened', {}, 'the same');
    expect(await waiting(channel)).toHaveLength(1);
    expect(await waiting(digest)).toHaveLength(1);
    expect(await rows(sql`select 1 from notices where channel_id = ${digest.id}`)).toHaveLength(1);
  });

  test('of later events of a problem together, where they cannot stand in its thread', async () => {
    const channel = await makeOne({ subscriptions: [{ events: ['issue.opened', 'issue.resolved'] }] });
    const [one, two] = [newId(), newId()];
    for (const issueId of [one, two]) await tell('issue.opened', { issueId });
    for (const issueId of [one, two]) await tell('issue.resolved', { issueId });
    const events = (await waiting(channel)).map(({ event }) => event).toSorted();
    expect(events).toEqual(['digest', 'issue.opened', 'issue.opened']);
  });

  test('nothing of another workspace', async () => {
    const channel = await makeOne();
    const other = await world.makeWorkspace();
    await tell('issue.opened', {}, newId(), await world.makeAgent({ workspaceId: other.workspaceId }));
    expect(await waiting(channel)).toEqual([]);
  });

  test('of an assignment and a comment by what a person did, and the person who did it is not', async () => {
    const events = ['issue.assigned', 'issue.commented'];
    const channel = await makeOne({ subscriptions: [{ events }] });
    const member = await world.makeMember('member');
    const mine = await world.token(member);
    for (const as of [await world.token(), mine]) {
      await world.ask('PUT', '/app/me/notifications', { as, body: { subscriptions: [{ events }] } });
    }
    const { id } = await makeIssue(world, world.agentId);
    const path = `/agents/${world.agentId}/issues/${id}`;
    expect((await ask('PATCH', path, { ownerId: member.personId })).status).toBe(200);
    expect((await ask('POST', `${path}/comments`, { text: 'Look at the *second* <!channel>.' })).status).toBe(200);
    await world.ask('POST', `/app${path}/comments`, { as: mine, body: { text: 'I do.' } });
    const told = await rows(sql`select c.person_id, n.event, n.facts ->> 'text' as text from notices n
      join channels c on c.id = n.channel_id order by n.created_at, n.id`);
    const of = (personId: string | null) => told.filter((row) => row.person_id === personId).map(({ event }) => event);
    expect(of(null)).toEqual(['issue.assigned', 'issue.commented', 'issue.commented']);
    expect(of(member.personId)).toEqual(['issue.assigned', 'issue.commented']);
    expect(of(world.personId)).toEqual(['issue.commented']);
    expect((await waiting(channel)).map(({ event }) => event).toSorted()).toEqual(['digest', 'issue.assigned']);
  });
});

describe('what a person is told of', () => {
  test('is nothing until they ask for it, and their own affair', async () => {
    expect((await ask('GET', '/me/notifications')).body).toMatchObject({ subscriptions: [], enabled: true });
    expect((await ask('POST', '/me/notifications/test')).body.error.code).toBe('delivery_refused');
    expect((await ask('PUT', '/me/notifications', {})).body.error.code).toBe('invalid_body');
    const subscriptions = [{ events: ['issue.assigned'], quietHours: { from: '22:00', to: '07:00' } }];
    const set = await ask('PUT', '/me/notifications', { subscriptions });
    expect(set.body.subscriptions).toMatchObject(subscriptions);
    expect((await ask('PUT', '/me/notifications', { enabled: false })).body).toMatchObject({
      enabled: false,
      subscriptions,
    });
    expect((await ask('GET', '/channels')).body.data).toEqual([]);
    expect(await rows(sql`select 1 from channels`)).toHaveLength(1);
    const other = await world.token(await world.makeMember('member'));
    expect((await world.get('/app/me/notifications', other)).body.subscriptions).toEqual([]);
  });
});

test('whether messages quote calls is a setting of the workspace', async () => {
  expect((await ask('GET', '/message-settings')).body).toEqual({ object: 'message_settings', quotesCalls: true });
  expect((await ask('PUT', '/message-settings', { quotesCalls: false })).body.quotesCalls).toBe(false);
  expect((await ask('GET', '/message-settings')).body.quotesCalls).toBe(false);
  expect((await ask('PUT', '/message-settings', { quotesCalls: 'no' })).status).toBe(400);
});
