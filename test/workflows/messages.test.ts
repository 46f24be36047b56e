import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { insertOutboxEntry } from '../../src/db/system/outbox.ts';
import { type Announcement, announce } from '../../src/db/webhooks/announce.ts';
import { newId } from '../../src/ids.ts';
import { createAddressJudge } from '../../src/outbound/address-judge.ts';
import { createMailer } from '../../src/outbound/mailer.ts';
import { deliverNowEntry, deliveryEntry } from '../../src/temporal/deliver-webhook.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { Loose } from '../support/world.ts';

const address = inject('temporalAddress');
const FROM = 'Earshot <earshot@mail.example.com>';

describe.skipIf(address === null)('messages to people, over a real Temporal', () => {
  let worked: WorkedWorld;
  let mail: MailServer;
  let sending: NodeJS.Timeout;
  const open: Receiver[] = [];

  beforeAll(async () => {
    mail = await startMailServer();
    const mailer = createMailer({ url: mail.url, from: FROM }, { connectMs: 2_000, silenceMs: 1_000 });
    worked = await startWorkedWorld(address, null, mailer);
    worked.world.services.receivers = createAddressJudge({ allow: ['127.0.0.0/8'] });
    worked.world.services.sendsMail = true;
    worked.world.services.mailDomains = ['example.com'];
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
    mail.received.length = 0;
    mail.answerWith(() => null);
    await Promise.all(open.splice(0).map((receiver) => receiver.close()));
    await run(sql`update webhooks set deleted_at = now() where kind <> 'webhook' and deleted_at is null`);
  });
  afterAll(async () => {
    clearInterval(sending);
    await worked?.close();
    await mail?.close();
  });

  const run = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
    (await query.execute(worked.world.database.em().getKysely())).rows;
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    worked.world.ask(method, `/app${path}`, { as: await worked.world.token(), body });

  async function startSlack(script?: Parameters<Receiver['answerWith']>[0]): Promise<Receiver> {
    const slack = await startReceiver();
    slack.answerWith(script ?? (() => ({ status: 200, text: 'ok' })));
    open.push(slack);
    return slack;
  }
  const SUBSCRIBED = [{ events: ['issue.opened', 'issue.resolved', 'watch.failing', 'watch.recovered'] }];
  async function makeChannel(given: object, subscriptions: object[] = SUBSCRIBED): Promise<Loose> {
    const { status, body } = await ask('POST', '/channels', { name: '#alerts', subscriptions, ...given });
    expect(body).toMatchObject({ object: 'channel' });
    expect(status).toBe(200);
    return body;
  }
  const slackChannel = ({ url }: Receiver, subscriptions?: object[]) =>
    makeChannel({ kind: 'slack', url }, subscriptions);
  /** One whose owner agreed by the link that was sent there. */
  const mailChannel = async (to: string, subscriptions?: object[]) => {
    const made = await makeChannel({ kind: 'email', address: to }, subscriptions);
    await agreeBy(to);
    asked.add((await logOf(made))[0]?.id);
    return made;
  };
  const asked = new Set<string>();
  /** @returns the secret of the link. */
  async function agreeBy(to: string): Promise<string> {
    await untilTrue(async () => mail.received.length > 0);
    const [sent] = mail.received.splice(0);
    expect(sent?.to).toEqual([to]);
    // Quoted-printable breaks long lines.
    const secret = /\/agree#([\w.-]+)/.exec(sent?.raw.replaceAll('=\r\n', '') ?? '')?.[1] ?? '';
    const agreed = await worked.world.ask('POST', '/app/mail-agreements', { body: { secret, agrees: true } });
    expect(agreed.body).toMatchObject({ email: to, agreed: true });
    await untilTrue(
      async () =>
        (await run(sql`select 1 from webhook_deliveries where event = 'test' and state = 'pending'`)).length === 0,
    );
    return secret;
  }

  async function tell(told: Partial<Announcement> & { data?: Loose } = {}): Promise<void> {
    const { agentId, workspaceId, database } = worked.world;
    const data = {
      issueId: newId(),
      agentId,
      agentName: 'Front desk',
      title: 'Books twice',
      status: 'open',
      ...told.data,
    };
    const at = new Date().toISOString();
    const announced: Announcement = { event: 'issue.opened', eventKey: newId(), at, ...told, data };
    await database.within(workspaceId).transactional((em) => announce(em, agentId, [announced]));
  }
  const logOf = async ({ id }: Loose): Promise<Loose[]> =>
    (await ask('GET', `/channels/${id}/messages`)).body.data.filter((message: Loose) => !asked.has(message.id));
  const until = (channel: Loose, state: string, count = 1) =>
    untilTrue(async () => (await logOf(channel)).filter((message) => message.state === state).length === count);
  const tried = (channel: Loose, tries = 1) => untilTrue(async () => (await logOf(channel))[0]?.tries === tries);
  const jsonOf = (receiver: Receiver, nth = 0): Loose => JSON.parse(receiver.received[nth]?.body.toString() ?? 'null');

  test('an event is told in Slack and by e-mail, with a link, and in the log', async () => {
    const slack = await startSlack();
    const [chat, inbox] = [await slackChannel(slack), await mailChannel('team@example.com')];
    await tell({ data: { title: 'Books twice', severity: 'high' } });
    await Promise.all([until(chat, 'delivered'), until(inbox, 'delivered')]);

    expect(jsonOf(slack).text).toContain('[Front desk] New issue: Books twice');
    expect(jsonOf(slack).blocks[0]).toMatchObject({ type: 'header', text: { type: 'plain_text' } });
    expect(mail.received).toHaveLength(1);
    const [received] = mail.received;
    const [logged] = await logOf(inbox);
    expect(received).toMatchObject({ to: ['team@example.com'], from: 'earshot@mail.example.com' });
    expect(received?.headers).toMatchObject({
      subject: '[Front desk] New issue: Books twice',
      'message-id': `<${logged.id}@mail.example.com>`,
      'auto-submitted': 'auto-generated',
    });
    expect(received?.raw).toContain(`https://earshot.example.com/a/${worked.world.agentId}/issues/`);
    expect(logged).toMatchObject({ event: 'issue.opened', state: 'delivered', tries: 1, lastStatus: 250 });
    const { body } = await ask('GET', `/channels/${inbox.id}/messages/${logged.id}`);
    expect(body).toMatchObject({ subject: '[Front desk] New issue: Books twice', log: [{ try: 1, status: 250 }] });
  });

  test('an alarm opens one incident at PagerDuty and one alert at Opsgenie, and its end closes them', async () => {
    const taken = () => ({ status: 202, text: '{"status":"success"}' });
    const [duty, genie] = [await startSlack(taken), await startSlack(taken)];
    const subscriptions = [{ events: ['alarm.raised', 'alarm.continues', 'alarm.recovered'] }];
    const at = ({ url }: Receiver) => new URL(url).origin;
    const routingKey = 'R0123456789abcdef0123456789abcde';
    const pagers = [
      await makeChannel({ kind: 'pagerduty', routingKey, apiUrl: at(duty) }, subscriptions),
      await makeChannel({ kind: 'opsgenie', apiKey: '01234567-89ab-cdef-0123', apiUrl: at(genie) }, subscriptions),
    ];
    const data = {
      alarmId: newId(),
      since: '2026-03-02T09:00:00.000Z',
      slug: 'hang_ups',
      name: 'Hang-ups',
      level: 'critical',
      severity: 'critical',
    };
    const until = (count: number) =>
      untilTrue(async () => duty.received.length === count && genie.received.length === count);
    await tell({ event: 'alarm.raised', data });
    await until(1);
    await tell({ event: 'alarm.continues', data });
    await until(2);
    await tell({ event: 'alarm.recovered', data: { ...data, level: 'ok' } });
    await until(3);

    const key = `earshot/${worked.world.agentId}/alarm:${data.alarmId}/${data.since}`;
    expect(duty.received.map(({ path }) => path)).toEqual(['/v2/enqueue', '/v2/enqueue', '/v2/enqueue']);
    expect(jsonOf(duty)).toMatchObject({
      routing_key: routingKey,
      event_action: 'trigger',
      dedup_key: key,
      payload: { summary: '[Front desk] Alarm: Hang-ups is critical', source: 'Front desk', severity: 'critical' },
    });
    expect([jsonOf(duty, 1), jsonOf(duty, 2)]).toMatchObject([
      { event_action: 'trigger', dedup_key: key },
      { event_action: 'resolve', dedup_key: key },
    ]);
    expect(jsonOf(genie)).toMatchObject({
      alias: key,
      priority: 'P1',
      message: '[Front desk] Alarm: Hang-ups is critical',
    });
    expect(genie.received[0]?.headers.authorization).toBe('GenieKey 01234567-89ab-cdef-0123');
    expect(genie.received.map(({ path }) => path)).toEqual([
      '/v2/alerts',
      '/v2/alerts',
      `/v2/alerts/${encodeURIComponent(key)}/close?identifierType=alias`,
    ]);
    // A test opens an incident and closes it.
    const [pager] = pagers;
    expect((await ask('POST', `/channels/${pager?.id}/test`)).body).toMatchObject({
      state: 'delivered',
      lastStatus: 202,
    });
    expect([jsonOf(duty, 3).event_action, jsonOf(duty, 4).event_action]).toEqual(['trigger', 'resolve']);
    // A key that is no more is said in the service's words.
    genie.answerWith(() => ({ status: 422, text: '{"message":"Key format is not valid!"}' }));
    const refused = await ask('POST', `/channels/${pagers[1]?.id}/test`);
    expect(refused.body).toMatchObject({
      state: 'failed',
      lastError: expect.stringContaining('Key format is not valid!'),
    });
    const quiet = { subscriptions: [{ ...subscriptions[0], quietHours: { from: '22:00', to: '07:00' } }] };
    expect((await ask('PATCH', `/channels/${pager?.id}`, quiet)).body.error).toMatchObject({ param: 'subscriptions' });
  });

  test('the button to try a channel answers what the server said', async () => {
    const slack = await startSlack();
    const [chat, inbox] = [await slackChannel(slack), await mailChannel('team@example.com')];
    for (const { id } of [chat, inbox]) {
      const { status, body } = await ask('POST', `/channels/${id}/test`);
      expect([status, body]).toEqual([200, expect.objectContaining({ event: 'test', state: 'delivered', tries: 1 })]);
    }
    expect(jsonOf(slack).text).toContain('A test of a channel: #alerts');
    expect(mail.received[0]?.headers['subject']).toBe('[Earshot] A test of a channel');
    expect(mail.received[0]?.raw).toContain('tries this channel');
  });

  test.each<[string, Parameters<Receiver['answerWith']>[0], string]>([
    ['refuses', () => ({ status: 404, text: 'no_service' }), 'It answered 404: “no_service”'],
    ['redirects', () => ({ status: 302, headers: { location: 'https://example.com/' } }), 'redirect'],
    ['lies', () => ({ status: 200, text: '<html>Sign in</html>' }), 'It answered 200, but not as Slack does'],
    ['breaks', () => ({ status: 500, text: 'oh' }), 'It answered 500: “oh”'],
  ])('a Slack that %s is tried once by the button, which says why', async (_, script, said) => {
    const slack = await startSlack(script);
    const { id } = await slackChannel(slack);
    const { body } = await ask('POST', `/channels/${id}/test`);
    expect(body).toMatchObject({ state: 'failed', tries: 1, lastError: expect.stringContaining(said) });
    expect(slack.received).toHaveLength(1);
    expect((await ask('GET', `/channels/${id}`)).body).toMatchObject({ failingSince: null, enabled: true });
  });

  test.each<[string, () => void, string]>([
    ['refuses', () => mail.answerWith(() => ({ code: 550, text: 'No such user' })), 'The address was refused: “550 No'],
    ['greylists', () => mail.answerWith(() => ({ code: 450, text: 'Later' })), 'asks to try later: “450 Later'],
    ['says nothing', () => mail.answerWith(() => 'hang'), 'The mail server could not be used'],
  ])('a mail server that %s is tried once by the button, which says why', async (_, prepare, said) => {
    const { id } = await mailChannel('nobody@example.com');
    prepare();
    const { body } = await ask('POST', `/channels/${id}/test`);
    expect(body.lastError).toContain(said);
    expect(body).toMatchObject({ state: 'failed', tries: 1 });
  });

  test('what is refused is tried again as the same message, and switched off after days with the reason', async () => {
    const inbox = await mailChannel('gone@example.com');
    mail.answerWith(() => ({ code: 550, text: 'No such user' }));
    await tell();
    await tried(inbox);
    const [waits] = await logOf(inbox);
    expect(waits).toMatchObject({ state: 'pending', lastStatus: 550 });
    // A refusal for good is asked about once a day.
    expect(Date.parse(waits.nextTryAt) - Date.parse(waits.lastTriedAt)).toBeGreaterThan(86_000_000);
    expect((await ask('GET', `/channels/${inbox.id}`)).body).toMatchObject({ enabled: true, pending: 1 });

    await run(sql`update webhooks set failing_since = now() - interval '5 days' where id = ${inbox.id}`);
    await tell();
    await until(inbox, 'failed', 2);
    const { body: off } = await ask('GET', `/channels/${inbox.id}`);
    expect(off).toMatchObject({ enabled: false, pending: 0, offReason: expect.stringContaining('550 No such user') });
    const told = await run(sql`select kind from workspace_events where ref = ${inbox.id}`);
    expect(told).toEqual([{ kind: 'channel.off' }]);
    expect((await ask('POST', `/channels/${inbox.id}/test`)).body.error.code).toBe('delivery_refused');
    expect((await ask('PATCH', `/channels/${inbox.id}`, { enabled: true })).body).toMatchObject({
      enabled: true,
      offReason: null,
    });
  });

  test('a mail server that is away is not held against the address', async () => {
    const inbox = await mailChannel('team@example.com');
    mail.answerWith(() => 'hang');
    await tell();
    await tried(inbox);
    expect((await logOf(inbox))[0]).toMatchObject({ state: 'pending', lastStatus: null });
    expect((await ask('GET', `/channels/${inbox.id}`)).body).toMatchObject({ failingSince: null });
  });

  test('a message whose try was not recorded comes again as the same message', async () => {
    const inbox = await mailChannel('team@example.com');
    await tell();
    await until(inbox, 'delivered');
    const [{ id }] = (await logOf(inbox)) as [Loose];
    const forget = sql`update webhook_deliveries set state = 'pending', again = 1, tries = 0 where id = ${id}`;
    await run(forget);
    const { workspaceId } = worked.world;
    const entry = deliveryEntry({ deliveryId: id, workspaceId, agentId: null, event: 'issue.opened', again: 1 });
    await worked.world.database
      .within(workspaceId)
      .transactional((em) => insertOutboxEntry(em, entry, { workspaceId, agentId: null }));
    await untilTrue(async () => mail.received.length === 2);
    const [first, second] = mail.received;
    expect(second?.headers['message-id']).toBe(first?.headers['message-id']);
    expect(second?.headers['subject']).toBe(first?.headers['subject']);
  });

  test('a person hears by e-mail of what concerns them, at the address of the moment, while they are a member', async () => {
    const me = await worked.world.makeMember('member');
    const as = await worked.world.token(me);
    const subscriptions = [{ events: ['issue.assigned'] }];
    const set = await worked.world.ask('PUT', '/app/me/notifications', { as, body: { subscriptions } });
    expect(set.body).toMatchObject({ object: 'notifications', email: `${me.personId}@example.com`, enabled: true });
    expect(set.body.unavailable).toContain('agree first');
    await tell({ event: 'issue.assigned', personIds: [me.personId], data: { ownerName: 'A member' } });
    const unasked = sql`select 1 from webhook_deliveries d join channels c on c.id = d.webhook_id
      where c.person_id = ${me.personId} and d.state = 'dropped' and d.last_error like '%not agreed%'`;
    await untilTrue(async () => (await run(unasked)).length === 1);
    const secret = await agreeBy(`${me.personId}@example.com`);
    expect((await worked.world.get('/app/me/notifications', as)).body.unavailable).toBeNull();
    const answer = (agrees?: boolean) =>
      worked.world.ask('POST', '/app/mail-agreements', {
        body: { secret, ...(agrees === undefined ? {} : { agrees }) },
      });
    // A no holds for whoever proved the address, too, until a yes.
    await run(sql`update people set proved_at = now() where id = ${me.personId}`);
    expect((await answer(false)).body.agreed).toBe(false);
    expect((await answer()).body.agreed).toBe(false);
    expect((await worked.world.get('/app/me/notifications', as)).body.unavailable).toContain('agree first');
    expect((await answer(true)).body.agreed).toBe(true);
    await run(sql`update people set proved_at = null where id = ${me.personId}`);
    await tell({ event: 'issue.assigned', personIds: [newId()] });
    await tell({ event: 'issue.assigned', personIds: [me.personId], data: { ownerName: 'A member' } });
    await untilTrue(async () => mail.received.length === 1);
    expect(mail.received[0]?.to).toEqual([`${me.personId}@example.com`]);
    const tried = await worked.world.ask('POST', '/app/me/notifications/test', { as });
    expect(tried.body).toMatchObject({ state: 'delivered' });

    await run(sql`delete from memberships where person_id = ${me.personId}`);
    await tell({ event: 'issue.assigned', personIds: [me.personId] });
    const failed = sql`select 1 from webhook_deliveries d join channels c on c.id = d.webhook_id
      where c.person_id = ${me.personId} and d.state = 'failed' and d.last_error like '%does not belong%'`;
    await untilTrue(async () => (await run(failed)).length === 1);
    expect(mail.received).toHaveLength(2);
  });

  test('what happens to a problem later stands beneath its first mail', async () => {
    const inbox = await mailChannel('team@example.com');
    const issueId = newId();
    await tell({ data: { issueId } });
    await until(inbox, 'delivered');
    await tell({ event: 'issue.resolved', data: { issueId, status: 'resolved' } });
    await until(inbox, 'delivered', 2);
    const [first, second] = mail.received;
    expect(second?.headers).toMatchObject({
      'in-reply-to': first?.headers['message-id'],
      references: first?.headers['message-id'],
    });
    expect(first?.headers['references']).toBeUndefined();
  });

  test('a bot posts updates in the thread of their problem, after its first message', async () => {
    const slack = await startSlack((_, nth) =>
      nth === 1 ? { status: 500 } : { status: 200, text: JSON.stringify({ ok: true, ts: `17000.00${nth}` }) },
    );
    const bot = { kind: 'slack', token: 'xoxb-1234567890', conversation: '#alerts', apiUrl: slack.url };
    const chat = await makeChannel(bot);
    expect(JSON.stringify(chat)).not.toContain('xoxb');
    const issueId = newId();
    await tell({ data: { issueId } });
    await tried(chat);
    await tell({ event: 'issue.resolved', data: { issueId, status: 'resolved' } });
    await until(chat, 'delivered', 2);
    expect(slack.received.map(({ path }) => path)).toEqual(Array(3).fill('/hook/chat.postMessage'));
    expect(slack.received[0]?.headers['authorization']).toBe('Bearer xoxb-1234567890');
    expect(jsonOf(slack, 1)).toMatchObject({ channel: '#alerts' });
    expect(jsonOf(slack, 1)).not.toHaveProperty('thread_ts');
    expect(jsonOf(slack, 2)).toMatchObject({ thread_ts: '17000.002', text: expect.stringContaining('Resolved') });
  });

  test('what is due later is told together when it is due', async () => {
    const slack = await startSlack();
    const daily = { events: ['issue.opened'], timeZone: 'UTC', digest: { every: 'daily', hour: 9 } };
    const chat = await slackChannel(slack, [daily]);
    await tell({ data: { title: 'Books twice' } });
    await tell({ data: { title: 'Hangs up' } });
    const waiting = await logOf(chat);
    expect(waiting).toMatchObject([{ event: 'digest', state: 'pending', tries: 0 }]);
    expect(new Date(waiting[0].nextTryAt).getUTCHours()).toBe(9);
    // Time cannot be skipped here: what was due then is due now, and whoever waits is told.
    await run(sql`update notices set due_at = now() where channel_id = ${chat.id}`);
    await run(sql`update webhook_deliveries set next_try_at = now() where webhook_id = ${chat.id}`);
    const { workspaceId } = worked.world;
    const input = { deliveryId: waiting[0].id, workspaceId, agentId: null, event: 'digest', again: 0 };
    await worked.world.database
      .within(workspaceId)
      .transactional((em) => insertOutboxEntry(em, deliverNowEntry(input), { workspaceId, agentId: null }));
    await until(chat, 'delivered');
    expect((await logOf(chat))[0].subject).toBe('[Front desk] 2 × new issue');
    const { text } = jsonOf(slack);
    expect(text).toContain('Books twice');
    expect(text).toContain('Hangs up');
  });
});
