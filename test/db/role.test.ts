import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { errorEnvelope } from '../../src/contract/error.ts';
import { openDatabase, RoleRefusedError } from '../../src/db/database.ts';
import { migrate, prepareSchema } from '../../src/db/migrate.ts';
import { newId } from '../../src/ids.ts';
import { startApi } from '../support/api-process.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { createTestDatabase } from '../support/database.ts';
import { openOwnedDatabase } from '../support/owned-database.ts';
import { untilTrue } from '../support/pipeline.ts';
import { lastingPort } from '../support/ports.ts';

/** An installation on somebody else's server: the user of the address owns the database and nothing more. */
const name = `earshot_plain_${randomBytes(6).toString('hex')}`;
const server = new pg.Client({ connectionString: inject('databaseServerUrl') });
const plain = addressOf(name);
const options = (url: string) => ({
  url,
  poolMax: 2,
  applicationName: 'earshot-test-role',
  statementTimeoutMs: 0,
  onIdleError: () => {},
});

function addressOf(database: string): string {
  const url = new URL(inject('databaseServerUrl'));
  url.username = name;
  url.password = name;
  url.pathname = `/${database}`;
  return url.href;
}

beforeAll(async () => {
  // Roles belong to the server: a superuser's migration has made it.
  await (await createTestDatabase()).drop();
  await server.connect();
  await server.query(`create role ${name} login password '${name}'`);
  await server.query(`create database ${name} owner ${name}`);
});
afterAll(async () => {
  await server.query(`drop database if exists ${name} with (force)`);
  await server.query(`drop owned by ${name}`);
  await server.query(`drop role ${name}`);
  await server.end();
});

async function check(url: string): Promise<void> {
  const database = await openDatabase(options(url));
  try {
    await database.check();
  } finally {
    await database.close();
  }
}

const bootApi = (databaseUrl: string) => boot('api/server.ts', databaseUrl);

/** A process of the product. @returns how it ended and what it said. */
async function boot(
  entry: string,
  databaseUrl: string,
  more: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  const api = spawn(process.execPath, [fileURLToPath(new URL(`../../${entry}`, import.meta.url))], {
    env: { ...bareEnvironment(), DATABASE_URL: databaseUrl, EARSHOT_SECRET: 'x'.repeat(40), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  api.stdout.on('data', (text: Buffer) => (said += text.toString()));
  api.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const code = await new Promise<number | null>((resolve) => api.once('exit', resolve));
  return { code, said };
}

test('a user who may not take the role on is told what an administrator must grant, and nothing starts', async () => {
  await migrate(plain);
  await expect(check(plain)).rejects.toThrow(RoleRefusedError);
  const { code, said } = await bootApi(plain);
  expect(code).toBe(1);
  expect(said.trim()).toMatch(
    /^The user of DATABASE_URL may not act as the role earshot_app, .*"grant earshot_app to"/,
  );
  expect(said.trim().split('\n')).toHaveLength(1);
});

test('once it is granted, the owner of the tables is held by row security as well', async () => {
  await server.query(`grant earshot_app to ${name}`);
  await check(plain);
  const database = await openOwnedDatabase(options(plain));
  const [workspaceId, agentId] = [newId(), newId()];
  const insert = sql`
    insert into agents (id, workspace_id, name, provider, provider_agent_id, source)
    values (${agentId}, ${workspaceId}, 'An agent', 'file', ${agentId}, 'file')
  `;
  try {
    await expect(insert.execute(database.em().getKysely())).rejects.toThrow(/row-level security/);
    await insert.execute(database.within(workspaceId).getKysely());
    const { rows } = await sql`select id from agents`.execute(database.em().getKysely());
    expect(rows).toEqual([]);
  } finally {
    await database.close();
  }
});

test('processes whose user owns nothing run on what the owner has migrated, and wait where it lags, saying what to run', async () => {
  const login = `${name}_login`;
  const loginUrl = new URL(plain);
  loginUrl.username = login;
  loginUrl.password = login;
  await server.query(`create role ${login} login password '${login}'`);
  try {
    await expect(prepareSchema({ databaseUrl: loginUrl.href, migrationUrl: null })).rejects.toThrow(
      'EARSHOT_MIGRATION_URL',
    );

    await server.query(`grant earshot_app to ${name} with admin option`);
    const migrated = await boot('api/migrate.ts', loginUrl.href, { EARSHOT_MIGRATION_URL: plain });
    expect(migrated).toMatchObject({ code: 0, said: '{"migrated":[],"bound":0}\n' });
    expect(await prepareSchema({ databaseUrl: loginUrl.href, migrationUrl: null })).toEqual([]);
    await check(loginUrl.href);
    const [workspaceId, agentId] = [newId(), newId()];
    const database = await openOwnedDatabase(options(loginUrl.href));
    try {
      await sql`
        insert into agents (id, workspace_id, name, provider, provider_agent_id, source)
        values (${agentId}, ${workspaceId}, 'An agent', 'file', ${agentId}, 'file')
      `.execute(database.within(workspaceId).getKysely());
      expect((await sql`select id from agents`.execute(database.em().getKysely())).rows).toEqual([]);
    } finally {
      await database.close();
    }
    const client = new pg.Client({ connectionString: loginUrl.href });
    await client.connect();
    await expect(client.query('alter table agents add column mine int')).rejects.toThrow('must be owner');
    await client.end();

    const owner = new pg.Client({ connectionString: plain });
    await owner.connect();
    const noted = await owner.query<{ name: string }>(`
      delete from mikro_orm_migrations where name = (select max(name) from mikro_orm_migrations) returning name`);
    const port = await lastingPort();
    const starting = startApi(loginUrl.href, { EARSHOT_PORT: String(port) });
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    await untilTrue(async () => (await ask('/healthz')).status === 200);
    const message = expect.stringMatching(/lacks 1 migration .* owns no tables\. Run "earshot-server migrate"/);
    for (const path of ['/readyz', '/workz']) {
      const answer = await ask(path);
      expect([answer.status, await answer.json()]).toEqual([
        503,
        expect.objectContaining({ ready: false, database: { ok: false, message } }),
      ]);
    }
    const refused = await ask('/v1/agents');
    expect(refused.status).toBe(500);
    expect(errorEnvelope.parse(await refused.json()).error.code).toBe('internal_error');

    await owner.query('insert into mikro_orm_migrations (name) values ($1)', [noted.rows[0]?.name]);
    await owner.end();
    const api = await starting;
    expect((await ask('/readyz')).status).toBe(200);
    await api.stop();
  } finally {
    const inside = new URL(inject('databaseServerUrl'));
    inside.pathname = `/${name}`;
    const admin = new pg.Client({ connectionString: inside.href });
    await admin.connect();
    await admin.query(`drop owned by ${login}`);
    await admin.end();
    await server.query(`drop role ${login}`);
  }
});
