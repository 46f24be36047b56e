import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { fieldOf } from '../../src/domain/json.ts';
import { ROOT } from '../../src/layout.ts';
import { startApi } from '../support/api-process.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { createTestDatabase } from '../support/database.ts';

/** The roles and the database of the Compose file, under names of their own, as the server is shared with other tests. */
const own = `compose_${randomBytes(6).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'earshot-secrets-'));
const superuser = new pg.Client({ connectionString: inject('databaseServerUrl') });

/** What `psql` runs, with passwords in the place of the files that it reads, and without the role that the server has. */
function statements(): string[] {
  return readFileSync(join(ROOT, 'deploy', 'postgres.sql'), 'utf8')
    .replaceAll(/^(--|\\set).*$/gm, '')
    .replaceAll(/:'\w+'/g, "'a password'")
    .replace('create role earshot_app nologin;', '')
    .replaceAll(/\bearshot_(owner|service)\b/g, `${own}_$1`)
    .replaceAll(/\bdatabase earshot\b/g, `database ${own}`)
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean);
}

function urlOf(user: string): string {
  const url = new URL(inject('databaseServerUrl'));
  url.username = user;
  url.password = 'a password';
  url.pathname = `/${own}`;
  return url.href;
}

function fileWith(name: string, content: string): string {
  writeFileSync(join(folder, name), `${content}\n`);
  return join(folder, name);
}

beforeAll(async () => {
  // Roles belong to the server: a superuser's migration has made it.
  await (await createTestDatabase()).drop();
  await superuser.connect();
  for (const statement of statements()) await superuser.query(statement);
});
afterAll(async () => {
  await superuser.query(`drop database if exists ${own} with (force)`);
  for (const role of ['owner', 'service']) await superuser.query(`drop role if exists ${own}_${role}`);
  await superuser.end();
  rmSync(folder, { recursive: true });
});

test('the owner migrates, the service works as a user who owns nothing and sees no row outside its workspace', async () => {
  const env = {
    ...bareEnvironment(),
    DATABASE_URL_FILE: fileWith('database-url', urlOf(`${own}_service`)),
    EARSHOT_MIGRATION_URL_FILE: fileWith('migration-url', urlOf(`${own}_owner`)),
    EARSHOT_SECRET_FILE: fileWith('secret', 'x'.repeat(40)),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'api/migrate.ts')], { env });
  expect(JSON.parse(stdout).migrated.length).toBeGreaterThan(0);

  const api = await startApi(urlOf(`${own}_service`), {
    EARSHOT_ADMIN_EMAIL: 'ops@example.com',
    EARSHOT_ADMIN_PASSWORD_FILE: fileWith('admin-password', 'a long enough password'),
    EARSHOT_PUBLIC_URL: 'https://earshot.example.com',
  });
  const body = JSON.stringify({ email: 'ops@example.com', password: 'a long enough password' });
  const headers = { 'content-type': 'application/json' };
  const signedIn = await fetch(`${api.url}/app/sign-in`, { method: 'POST', headers, body });
  expect(signedIn.status).toBe(200);
  // People come by https, so browsers are told to come by nothing else.
  expect(signedIn.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
  await api.stop();
  expect(api.said()).not.toContain('a long enough password');

  const service = new pg.Client({ connectionString: urlOf(`${own}_service`) });
  await service.connect();
  const { rows } = await service.query(
    `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls,
       (select count(*)::int from pg_class where relowner = pg_roles.oid) as owns
     from pg_roles where rolname = current_user`,
  );
  expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, owns: 0 }]);
  await expect(service.query('alter table agents disable row level security')).rejects.toThrow('must be owner');
  await expect(service.query('create table mine (id int)')).rejects.toThrow('permission denied');
  await service.query('set role earshot_app');
  const people = await service.query('select count(*)::int as count from agents');
  expect(people.rows).toEqual([{ count: 0 }]);
  await service.end();
});

test('a secret of which both the value and a file are named, or whose file is not there, starts nothing', async () => {
  const said = async (env: Record<string, string>): Promise<string> => {
    const migrate = join(ROOT, 'api/migrate.ts');
    const run = promisify(execFile)(process.execPath, [migrate], { env: { ...bareEnvironment(), ...env } });
    const failure: unknown = await run.catch((error: unknown) => error);
    return String(fieldOf(failure, 'stderr'));
  };
  const secret = 'y'.repeat(40);
  const url = urlOf(`${own}_service`);
  const both = await said({
    DATABASE_URL: url,
    EARSHOT_SECRET: secret,
    EARSHOT_SECRET_FILE: fileWith('secret', secret),
  });
  expect(both).toMatch(/EARSHOT_SECRET and EARSHOT_SECRET_FILE are both set/);
  const none = await said({ DATABASE_URL: url, EARSHOT_SECRET_FILE: join(folder, 'none') });
  expect(none).toMatch(/EARSHOT_SECRET_FILE names can't be read/);
  for (const text of [both, none]) expect(text).not.toContain(secret);
});
