import { request } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { type Cut, openPostgresLink, type PostgresLink } from '../support/postgres-link.ts';
import { rowsOf } from '../support/runs.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

const LINES = ['{"no":"record"}', '{"nor":"this"}'];
const BODY = LINES.join('\n');

let world: World;
let link: PostgresLink;
/** The one that things happen to, and one that stands beside it. */
let hurt: ApiProcess;
let other: ApiProcess;
beforeAll(async () => {
  // Its tokens are read by processes with clocks of their own.
  world = await createWorld({ now: () => new Date() });
  link = await openPostgresLink(world.database.url);
  [hurt, other] = await Promise.all([startApi(link.url), startApi(world.database.url)]);
});
afterAll(async () => {
  await Promise.all([hurt?.stop(), other?.stop()]);
  await link?.close();
  await world?.close();
});

/** An upload whose last byte is held back until it is told to send it. */
async function upload(api: ApiProcess, agentId: string, key: string, body = BODY) {
  const sent = request(`${api.url}/app/agents/${agentId}/imports`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${await world.token()}`,
      'content-type': 'application/x-ndjson',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': key,
    },
  });
  const answered = new Promise<{ status: number; body: Loose } | null>((resolve) => {
    sent.on('error', () => resolve(null));
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
  });
  if (body !== '') sent.write(body.slice(0, -1));
  return {
    answered,
    finish() {
      sent.end(body.slice(-1));
      return answered;
    },
  };
}

const importsOf = (agentId: string) =>
  rowsOf<{ id: string }>(world.database, sql`select id from imports where agent_id = ${agentId}`);

async function untilClaimed(key: string): Promise<void> {
  const claims = () => rowsOf(world.database, sql`select 1 from idempotency_records where key = ${key}`);
  await expect.poll(claims, { timeout: 60_000 }).toHaveLength(1);
}

async function expectDoneOnce(agentId: string, key: string): Promise<void> {
  let repeat = await (await upload(other, agentId, key)).finish();
  // A connection of its own may just have been lost too.
  while (repeat && repeat.status >= 500) repeat = await (await upload(other, agentId, key)).finish();
  expect(repeat).toMatchObject({ status: 200 });
  expect(await importsOf(agentId)).toEqual([{ id: repeat?.body.id }]);
}

const POINTS: [string, Cut][] = [
  ['the claim', { at: /insert into "idempotency_records"/, side: 'before', commit: false }],
  ['the answer to the claim', { at: /insert into "idempotency_records"/, side: 'after', commit: false }],
  ['the work', { at: /insert into "imports"/, side: 'before', commit: false }],
  ['the answer to the work', { at: /insert into "imports"/, side: 'after', commit: false }],
  ['the COMMIT', { at: /insert into "imports"/, side: 'before', commit: true }],
  ['the answer to the COMMIT', { at: /insert into "imports"/, side: 'after', commit: true }],
];

test.each(POINTS)('a connection lost at %s: the repeat has its turn, and the work is done once', async (_at, cut) => {
  const agentId = await world.makeAgent({ provider: 'file' });
  const key = newId();
  const isCut = link.cutAt(cut);
  const first = await (await upload(hurt, agentId, key)).finish();
  await isCut;
  expect(first?.status).toBeGreaterThanOrEqual(500);
  await expectDoneOnce(agentId, key);
});

test('a connection lost at the release: the repeat is a first request, and the first one has its own refusal', async () => {
  const agentId = await world.makeAgent({ provider: 'file' });
  const key = newId();
  const isCut = link.cutAt({ at: /delete from "idempotency_records"/, side: 'before', commit: false });
  const first = await (await upload(hurt, agentId, key, '\n\n')).finish();
  await isCut;
  expect(first).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
  const repeat = await (await upload(other, agentId, key, '\n\n')).finish();
  expect(repeat).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
});

test('every connection terminated while the client still sends: done once, by one of the two', async () => {
  const agentId = await world.makeAgent({ provider: 'file' });
  const key = newId();
  const first = await upload(hurt, agentId, key);
  await untilClaimed(key);
  await rowsOf(
    world.database,
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await first.finish();
  await expectDoneOnce(agentId, key);
});

test('a process that is stopped is taken over from, and writes nothing when it goes on', async () => {
  const agentId = await world.makeAgent({ provider: 'file' });
  const key = newId();
  const first = await upload(hurt, agentId, key);
  await untilClaimed(key);
  hurt.child.kill('SIGSTOP');
  try {
    await expectDoneOnce(agentId, key);
  } finally {
    hurt.child.kill('SIGCONT');
  }
  expect(await first.finish()).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } });
  expect(await importsOf(agentId)).toHaveLength(1);
});

test('a process that is killed: the repeat has its turn without being told to come back', async () => {
  const agentId = await world.makeAgent({ provider: 'file' });
  const key = newId();
  const first = await upload(hurt, agentId, key);
  await untilClaimed(key);
  hurt.child.kill('SIGKILL');
  expect(await first.answered).toBeNull();
  await expectDoneOnce(agentId, key);
});
