import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDatabaseAway } from '../../src/db/away.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A way to the database on which packets can be dropped. */
let way: Server;
let dropsPackets = false;
const open = new Set<Socket>();
let owned: TestDatabase;
let database: Database;

beforeAll(async () => {
  owned = await createTestDatabase();
  const { hostname, port } = new URL(owned.url);
  way = createServer((near) => {
    const far = dial(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => [near, far].forEach((each) => each.destroy()));
    }
    near.on('data', (bytes) => dropsPackets || far.write(bytes));
    far.on('data', (bytes) => dropsPackets || near.write(bytes));
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const url = new URL(owned.url);
  const address = way.address();
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const options = { applicationName: 'earshot-test-bounds', statementTimeoutMs: 1_000, onIdleError: () => {} };
  database = await openDatabase({ url: url.href, poolMax: 1, ...options });
});
afterAll(async () => {
  await database.close();
  for (const socket of open) socket.destroy();
  way.close();
  await owned.drop();
});

const ask = () => sql<{ one: number }>`select 1 as one`.execute(database.unscoped().getKysely());
const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => error,
  );

test('whoever waits for a lock, or for its own transaction to go on, is bound', async () => {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout',
      'idle_in_transaction_session_timeout') order by name`.execute(database.unscoped().getKysely());
  expect(rows.map(({ setting }) => Number(setting))).toEqual([4_000, 800, 1_000]);
  const holder = new pg.Client({ connectionString: owned.url });
  await holder.connect();
  try {
    await holder.query('begin; lock table people in access exclusive mode');
    const refusal = await refusalOf(sql`select 1 from people`.execute(database.unscoped().getKysely()));
    expect(String(refusal)).toContain('lock timeout');
    expect(isDatabaseAway(refusal)).toBe(true);
  } finally {
    await holder.end();
  }
});

test('a server of which no packet comes is given up, and asked anew over another connection', async () => {
  expect((await ask()).rows).toEqual([{ one: 1 }]);
  dropsPackets = true;
  const refusal = await refusalOf(ask());
  expect(refusal).toBeInstanceOf(Error);
  expect(isDatabaseAway(refusal)).toBe(true);
  dropsPackets = false;
  expect((await ask()).rows).toEqual([{ one: 1 }]);
});
