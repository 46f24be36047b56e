import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertConnection } from '../../src/db/connections/connections.ts';
import type { Platform } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { type Answered, createWorld, type World } from '../support/world.ts';

const KEY = 'key_of_the_platform';
const SECRET = 'whsec_of_the_connection';
const NOW = new Date('2026-05-04T09:00:00Z');
const MINUTE_MS = 60_000;

type Sender = 'retell' | 'vapi' | 'elevenlabs';
const BODIES: Record<Sender, (callId: string, agentId?: string) => object> = {
  retell: (callId, agentId = 'agent_a') => ({ event: 'call_ended', call: { call_id: callId, agent_id: agentId } }),
  vapi: (callId, agentId = 'agent_a') => ({
    message: { type: 'end-of-call-report', call: { id: callId, assistantId: agentId } },
  }),
  elevenlabs: (callId, agentId = 'agent_a') => ({
    type: 'post_call_transcription',
    data: { conversation_id: callId, agent_id: agentId },
  }),
};
const OF_NO_INTEREST: Record<Sender, object[]> = {
  retell: [
    { event: 'call_started', call: { call_id: 'call_1', agent_id: 'agent_a' } },
    { event: 'call_started', call: { call_id: 'call_1', agent_id: 'agent_a', call_status: 'ongoing' } },
  ],
  vapi: [
    { message: { type: 'assistant-request', call: { id: 'call_1', assistantId: 'agent_a' } } },
    { message: { type: 'status-update', status: 'in-progress', call: { id: 'call_1', assistantId: 'agent_a' } } },
  ],
  elevenlabs: [{ type: 'post_call_audio', data: { conversation_id: 'call_1', agent_id: 'agent_a' } }],
};
/** Files of calls without their envelope. */
const EXAMPLES: Record<Sender, string[]> = {
  retell: ['retell-call.json'],
  vapi: ['vapi-call.json', 'vapi-end-of-call-report-unwrapped.json'],
  elevenlabs: ['elevenlabs-conversation.json'],
};
const example = (file: string) => readFileSync(new URL(`../platforms/formats/${file}`, import.meta.url), 'utf8');

/** An example under the id of a call, and of the agent that is connected. */
function named(sender: Sender, text: string, callId: string): string {
  const value = JSON.parse(text);
  if (sender === 'retell') return JSON.stringify({ ...value, call_id: callId, agent_id: 'agent_a' });
  if (sender === 'elevenlabs') return JSON.stringify({ ...value, conversation_id: callId, agent_id: 'agent_a' });
  const call = { ...value.call, id: callId, assistantId: 'agent_a' };
  return JSON.stringify('call' in value ? { ...value, call } : { ...value, id: callId, assistantId: 'agent_a' });
}

/** The limit after which a signature is too old, or too far ahead; a shared secret has none. */
const TOLERANCE_MS = { retell: 5 * MINUTE_MS, elevenlabs: 30 * MINUTE_MS };

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

function sign(sender: Sender, body: string, secret = SECRET, atMs = NOW.getTime()): Record<string, string> {
  const seconds = String(Math.floor(atMs / 1000));
  if (sender === 'retell') return { 'x-retell-signature': `v=${atMs},d=${hmac(secret, body + atMs)}` };
  if (sender === 'vapi') return { authorization: `Bearer ${secret}` };
  return { 'elevenlabs-signature': `t=${seconds},v0=${hmac(secret, `${seconds}.${body}`)}` };
}

let world: World;
beforeAll(async () => {
  world = await createWorld({ limited: true, now: () => NOW });
});
afterAll(() => world?.close());
beforeEach(async () => {
  await sql`delete from buckets`.execute(world.database.em().getKysely());
});

interface Made {
  connectionId: string;
  agentId: string;
  workspaceId: string;
}

/** A connection with one agent whose calls were imported once. */
async function connect(
  platform: Platform,
  made: { secret?: string | null; workspaceId?: string; followed?: boolean } = {},
): Promise<Made> {
  const { secret = SECRET, workspaceId = (await world.makeWorkspace()).workspaceId, followed = true } = made;
  const { vault } = world.services;
  const em = world.database.em();
  const sealedKey = vault.seal(KEY);
  const connectionId = await insertConnection(em, { workspaceId, platform, baseUrl: null, sealedKey });
  const agentId = newId();
  await sql`
    update platform_connections set sealed_webhook_secret = ${secret === null ? null : vault.seal(secret)}
    where id = ${connectionId}`.execute(em.getKysely());
  await sql`
    insert into agents (id, workspace_id, connection_id, name, provider, provider_agent_id, source, bookmark_at)
    values (${agentId}, ${workspaceId}, ${connectionId}, 'Front desk', ${platform}, 'agent_a', ${platform},
      ${followed ? NOW.toISOString() : null})`.execute(em.getKysely());
  return { connectionId, agentId, workspaceId };
}

const send = (connectionId: string, payload: string, headers: Record<string, string>, from?: string) =>
  world.ask('POST', `/hooks/${connectionId}`, {
    payload,
    headers: { 'content-type': 'application/json', ...headers },
    ...(from ? { from } : {}),
  });

async function orders(agentId: string) {
  const { rows } = await sql<{ action: string; message: string }>`
    select action, signal_args -> 0 ->> 'messageId' as message from outbox_entries where agent_id = ${agentId} order by id
  `.execute(world.database.em().getKysely());
  return rows;
}
const told = async (agentId: string) => {
  const { rows } = await sql<{ ref: string }>`
    select provider_call_id as ref from announced_calls where agent_id = ${agentId} order by id
  `.execute(world.database.em().getKysely());
  return rows.map(({ ref }) => ref);
};
const changedNothing = async ({ agentId }: Made) => {
  expect(await orders(agentId)).toEqual([]);
  expect(await told(agentId)).toEqual([]);
};
const refusedAsForged = (answer: Answered) => {
  expect(answer.status).toBe(401);
  expect(answer.body.error.code).toBe('invalid_signature');
};

describe.each(['retell', 'vapi', 'elevenlabs'] as const)('%s', (sender) => {
  test('a genuine event about a finished call has the coordinator of its agent fetch it', async () => {
    const made = await connect(sender);
    const body = JSON.stringify(BODIES[sender]('call_1'));
    const answer = await send(made.connectionId, body, sign(sender, body));
    expect(answer).toMatchObject({ status: 200, body: { taken: true } });
    expect(await orders(made.agentId)).toEqual([{ action: 'poll', message: expect.stringMatching(/^hook\//) }]);
    expect(await told(made.agentId)).toEqual(['call_1']);
  });

  test('the same event again is answered and counts once', async () => {
    const made = await connect(sender);
    const body = JSON.stringify(BODIES[sender]('call_1'));
    for (let times = 0; times < 3; times += 1) {
      expect((await send(made.connectionId, body, sign(sender, body))).status).toBe(200);
    }
    expect(await orders(made.agentId)).toHaveLength(1);
  });

  test('an event under another secret, or under none, is refused and changes nothing', async () => {
    const made = await connect(sender);
    const body = JSON.stringify(BODIES[sender]('call_1'));
    refusedAsForged(await send(made.connectionId, body, sign(sender, body, 'another secret')));
    refusedAsForged(await send(made.connectionId, body, {}));
    refusedAsForged(await send(made.connectionId, body, { 'x-retell-signature': 'v=', 'elevenlabs-signature': 't=1' }));
    await changedNothing(made);
  });

  test('what a stranger sends is refused before it is read', async () => {
    const made = await connect(sender);
    refusedAsForged(await send(made.connectionId, '{"cut', sign(sender, '{"cut', 'another secret')));
  });

  test('a genuine event that is no JSON object is told so', async () => {
    const made = await connect(sender);
    for (const body of ['{"cut', '[]', 'null', '<html>', `${'['.repeat(100)}${']'.repeat(100)}`]) {
      const answer = await send(made.connectionId, body, sign(sender, body));
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
    }
    await changedNothing(made);
  });

  test('an event of an agent that nobody connected, or of no interest, is answered and changes nothing', async () => {
    const made = await connect(sender);
    const others = [
      BODIES[sender]('call_1', 'agent_of_nobody'),
      ...OF_NO_INTEREST[sender],
      { event: 7, call: [], message: 'x', type: {}, data: null },
      {},
    ];
    for (const body of others.map((other) => JSON.stringify(other))) {
      const answer = await send(made.connectionId, body, sign(sender, body));
      expect(answer).toMatchObject({ status: 200, body: { taken: false, reason: expect.stringMatching(/\w/) } });
    }
    await changedNothing(made);
  });

  test('a call counts without its envelope, as the API of the platform gives it', async () => {
    const made = await connect(sender);
    const bodies = EXAMPLES[sender].map((file, at) => named(sender, example(file), `call_${at}`));
    for (const body of bodies) {
      expect((await send(made.connectionId, body, sign(sender, body))).body).toEqual({ taken: true });
    }
    expect(await told(made.agentId)).toEqual(bodies.map((_, at) => `call_${at}`));
  });

  test('what another tool writes is named, with where it belongs', async () => {
    const made = await connect(sender);
    const others = (Object.keys(EXAMPLES) as Sender[]).filter((other) => other !== sender);
    for (const other of others) {
      for (const file of EXAMPLES[other]) {
        const body = example(file);
        const answer = await send(made.connectionId, body, sign(sender, body));
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
        expect(answer.body.error.message).toMatch(new RegExp(`format: ${other}.*connection to ${other}`, 'i'));
      }
    }
    const body = example('contact-lens-voice.json');
    const answer = await send(made.connectionId, body, sign(sender, body));
    expect(answer.body.error.message).toContain('/ingest/calls');
    await changedNothing(made);
  });

  test('an agent that was never imported waits for its first import', async () => {
    const made = await connect(sender, { followed: false });
    const body = JSON.stringify(BODIES[sender]('call_1'));
    expect((await send(made.connectionId, body, sign(sender, body))).body).toEqual({
      taken: false,
      reason: expect.stringContaining('import its calls once'),
    });
    await changedNothing(made);
  });

  test("an event never reaches another workspace's agent of the same name", async () => {
    const mine = await connect(sender);
    const theirs = await connect(sender, { secret: 'another secret' });
    const body = JSON.stringify(BODIES[sender]('call_1'));
    expect((await send(mine.connectionId, body, sign(sender, body))).status).toBe(200);
    refusedAsForged(await send(theirs.connectionId, body, sign(sender, body)));
    await changedNothing(theirs);
  });
});

describe.each(['retell', 'elevenlabs'] as const)('%s signs what it sends', (sender) => {
  const body = JSON.stringify(BODIES[sender]('call_1'));

  test('a signature holds for its time only, to both sides', async () => {
    const made = await connect(sender);
    const limitMs = TOLERANCE_MS[sender];
    for (const offMs of [-limitMs - 1_000, limitMs + 1_000]) {
      refusedAsForged(await send(made.connectionId, body, sign(sender, body, SECRET, NOW.getTime() + offMs)));
    }
    for (const offMs of [-limitMs, limitMs]) {
      const headers = sign(sender, body, SECRET, NOW.getTime() + offMs);
      expect((await send(made.connectionId, body, headers)).status).toBe(200);
    }
  });

  test('a signature holds for its own bytes only', async () => {
    const made = await connect(sender);
    refusedAsForged(await send(made.connectionId, `${body} `, sign(sender, body)));
    refusedAsForged(await send(made.connectionId, JSON.stringify(BODIES[sender]('call_2')), sign(sender, body)));
    await changedNothing(made);
  });

  test('a transcript of 5 MB is taken, more than 8 MiB are not', async () => {
    const made = await connect(sender);
    const large = (bytes: number) => JSON.stringify({ ...BODIES[sender]('call_1'), transcript: 'a'.repeat(bytes) });
    const [taken, refused] = [large(5_000_000), large(8 * 1024 * 1024)];
    expect((await send(made.connectionId, taken, sign(sender, taken))).status).toBe(200);
    expect((await send(made.connectionId, refused, sign(sender, refused))).body.error.code).toBe('invalid_body');
  });
});

test('Retell signs with the key of the connection until a secret is set', async () => {
  const body = JSON.stringify(BODIES.retell('call_1'));
  const byKey = await connect('retell', { secret: null });
  expect((await send(byKey.connectionId, body, sign('retell', body, KEY))).status).toBe(200);
  const bySecret = await connect('retell');
  refusedAsForged(await send(bySecret.connectionId, body, sign('retell', body, KEY)));
});

test.each(['vapi', 'elevenlabs'] as const)(
  '%s: without a secret no event is taken, and the answer says what to do',
  async (sender) => {
    const made = await connect(sender, { secret: null });
    const body = JSON.stringify(BODIES[sender]('call_1'));
    for (const secret of [KEY, '', 'undefined']) {
      const answer = await send(made.connectionId, body, sign(sender, body, secret));
      refusedAsForged(answer);
      expect(answer.body.error.message).toContain('webhookSecret');
    }
  },
);

test('Vapi may show its secret in the older header', async () => {
  const made = await connect('vapi');
  const body = JSON.stringify(BODIES.vapi('call_1'));
  expect((await send(made.connectionId, body, { 'x-vapi-secret': SECRET })).status).toBe(200);
  refusedAsForged(await send(made.connectionId, body, { 'x-vapi-secret': `${SECRET}x` }));
});

test('a call of a squad counts for the squad where that is connected', async () => {
  const made = await connect('vapi');
  const body = JSON.stringify({
    message: {
      type: 'status-update',
      status: 'ended',
      call: { id: 'call_1', squadId: 'agent_a', assistantId: 'member' },
    },
  });
  expect((await send(made.connectionId, body, sign('vapi', body))).body).toEqual({ taken: true });
});

test('an address without a connection, and one of a platform that sends nothing, are not there', async () => {
  const demo = await connect('demo', { secret: null });
  for (const id of [newId(), 'not-an-id', demo.connectionId]) {
    const answer = await send(id, '{}', sign('retell', '{}', KEY));
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'connection_not_found' } } });
  }
});

test('whoever makes addresses up draws from their own address alone, before anything is looked up', async () => {
  const buckets = async () =>
    (
      await sql<{ name: string }>`select name from buckets where name like '%203.0.113.20%'`.execute(
        world.database.em().getKysely(),
      )
    ).rows;
  for (let at = 0; at < 5; at += 1) await send(newId(), '{}', {}, '203.0.113.20');
  expect(await buckets()).toEqual([{ name: 'platform:203.0.113.20' }]);
  await sql`update buckets set full_at = now() + interval '1 hour' where name = 'platform:203.0.113.20'`.execute(
    world.database.em().getKysely(),
  );
  const made = await connect('retell');
  const body = JSON.stringify(BODIES.retell('call_1'));
  const refused = await send(made.connectionId, body, sign('retell', body), '203.0.113.20');
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await world.ask('POST', `/fixtures/${'a'.repeat(43)}`, { from: '203.0.113.20', body: {} })).status).toBe(429);
  expect((await send(made.connectionId, body, sign('retell', body), '203.0.113.21')).status).toBe(200);
});

test('too many forged events shut their sender out of that connection, and of no other', async () => {
  const [guessed, other] = [await connect('retell'), await connect('retell')];
  const body = JSON.stringify(BODIES.retell('call_1'));
  const forged = sign('retell', body, 'a guess');
  let last = await send(guessed.connectionId, body, forged, '203.0.113.7');
  for (let tries = 0; tries < 60 && last.status === 401; tries += 1) {
    last = await send(guessed.connectionId, body, forged, '203.0.113.7');
  }
  expect(last).toMatchObject({ status: 429, body: { error: { code: 'too_many_failed_authentications' } } });
  const genuine = sign('retell', body);
  expect((await send(guessed.connectionId, body, genuine, '203.0.113.7')).status).toBe(429);
  expect((await send(other.connectionId, body, genuine, '203.0.113.7')).status).toBe(200);
  expect((await send(guessed.connectionId, body, genuine, '203.0.113.8')).status).toBe(200);
});

test('the connection shows where events go and whether a secret is set, never the secret', async () => {
  const { workspaceId, personId } = await world.makeWorkspace();
  const made = await connect('vapi', { secret: null, workspaceId });
  const as = await world.token({ workspaceId, personId });
  const at = `/app/connections/${made.connectionId}`;
  const before = await world.ask('GET', at, { as });
  expect(before.body.webhook).toMatchObject({ hasSecret: false, isOpen: false });
  expect(before.body.webhook.address).toMatch(new RegExp(`/hooks/${made.connectionId}$`));
  const set = await world.ask('PATCH', at, { as, body: { webhookSecret: SECRET } });
  expect(set).toMatchObject({ status: 200, body: { status: 'ok', webhook: { hasSecret: true, isOpen: true } } });
  expect(set.text).not.toContain(SECRET);
  const body = JSON.stringify(BODIES.vapi('call_1'));
  expect((await send(made.connectionId, body, sign('vapi', body))).status).toBe(200);
  expect((await world.ask('PATCH', at, { as, body: { webhookSecret: null } })).body.webhook.hasSecret).toBe(false);
  refusedAsForged(await send(made.connectionId, body, sign('vapi', body)));
});

test('nothing of an event is logged', async () => {
  const made = await connect('retell');
  const body = JSON.stringify({ ...BODIES.retell('call_of_a_person'), transcript: 'words of a person' });
  await send(made.connectionId, body, sign('retell', body));
  await send(made.connectionId, body, sign('retell', body, 'a guess'));
  const logged = world.logged.join('\n');
  expect(logged).toContain('"operation":"takeEvent"');
  for (const secret of ['words of a person', 'call_of_a_person', SECRET, KEY, 'a guess']) {
    expect(logged).not.toContain(secret);
  }
});
