import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { openOwner } from '../../src/db/migrate.ts';
import { makeCertificate } from '../support/certificate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** What a client sends that wants TLS, before anything else. */
const ASKS_FOR_TLS = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

let owned: TestDatabase;
let front: Server;
let url: string;
const folder = mkdtempSync(join(tmpdir(), 'earshot-tls-'));
const root = join(folder, 'root.pem');
const sockets = new Set<Socket>();
let plain = 0;

/** A PostgreSQL that speaks TLS alone: who comes in the open is turned away. */
beforeAll(async () => {
  owned = await createTestDatabase();
  const { hostname, port } = new URL(owned.url);
  const certificate = makeCertificate();
  writeFileSync(root, certificate.cert);
  front = createServer((near) => {
    sockets.add(near.on('error', () => {}));
    near.once('data', (first: Buffer) => {
      if (!first.equals(ASKS_FOR_TLS)) {
        plain += 1;
        near.destroy();
        return;
      }
      near.write('S');
      const inner = new TLSSocket(near, { isServer: true, ...certificate });
      const far = connect(Number(port), hostname);
      inner.on('error', () => far.destroy()).pipe(far);
      far.on('error', () => inner.destroy()).pipe(inner);
    });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const address = new URL(owned.url);
  address.host = `localhost:${(front.address() as AddressInfo).port}`;
  url = address.href;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  front.close();
  await owned.drop();
  rmSync(folder, { recursive: true });
});

const asked = (query: string) => `${url}?${query}`;

async function answerOf(address: string): Promise<unknown> {
  const options = { applicationName: 'earshot-test-tls', statementTimeoutMs: 5_000, onIdleError: () => {} };
  const database = await openDatabase({ url: address, poolMax: 1, ...options });
  try {
    return (await sql<{ one: number }>`select 1 as one`.execute(database.unscoped().getKysely())).rows;
  } finally {
    await database.close();
  }
}

test('a server that speaks TLS alone is reached, by a certificate that is vouched for', async () => {
  const address = asked(`sslmode=verify-full&sslrootcert=${root}`);
  expect(await answerOf(address)).toEqual([{ one: 1 }]);
  const owner = await openOwner(address);
  expect(await owner.em.getConnection().execute('select 1 as one')).toEqual([{ one: 1 }]);
  await owner.close(true);
  expect(plain).toBe(0);
});

test('one whose certificate nobody vouches for is taken only where that is asked for', async () => {
  await expect(answerOf(asked('sslmode=verify-full'))).rejects.toThrow(/self-signed certificate/);
  expect(await answerOf(asked('sslmode=no-verify'))).toEqual([{ one: 1 }]);
  expect(plain).toBe(0);
});

test('without a word of TLS nothing is sent through it, and with a word that is none nothing starts', async () => {
  await expect(answerOf(url)).rejects.toThrow('Connection terminated unexpectedly');
  expect(plain).toBeGreaterThan(0);
  const env = { EARSHOT_SECRET: 'a secret of the tests, 32 characters or more' };
  expect(() => readConfig({ ...env, DATABASE_URL: asked('sslmode=bogus') })).toThrow(/DATABASE_URL: .*sslmode/);
  expect(() => readConfig({ ...env, DATABASE_URL: url, EARSHOT_MIGRATION_URL: asked('sslmode=') })).toThrow(
    /EARSHOT_MIGRATION_URL: .*sslmode/,
  );
  expect(readConfig({ ...env, DATABASE_URL: asked('sslmode=verify-full') }).databaseUrl).toContain('verify-full');
});
