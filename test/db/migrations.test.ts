import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { MigrationRunner } from '@mikro-orm/migrations';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConcurrentMigration } from '../../src/db/concurrent-migration.ts';
import { alone, openOwner, whileInUse } from '../../src/db/migrate.ts';
import landed from '../check/landed-migrations.json' with { type: 'json' };
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a migrated database has no difference to the entities', async () => {
  expect(await database.owner.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
});

test('a migration that has landed is never changed or taken away', () => {
  const changed = Object.entries(landed).filter(([file, digest]) => digestOf(file) !== digest);
  expect(changed.map(([file]) => file)).toEqual([]);
});

class AddsIndex extends ConcurrentMigration {
  override up(): void {
    this.addIndex('calls_of_this_test', 'on "calls" ("agent_id")');
  }
}

test('an index is added concurrently under the lock of migrations, also while another start waits for that', async () => {
  const driver = database.owner.em.getDriver();
  const migration = new AddsIndex(driver, database.owner.config);
  const runner = new MigrationRunner(driver, database.owner.config.get('migrations'), database.owner.config);
  const other = await openOwner(database.url);
  const entered: string[] = [];
  let waits: Promise<unknown> = Promise.resolve();
  await alone(database.owner, async () => {
    waits = alone(other, async () => entered.push('the other'));
    // Twice, as a migration that was stopped before it was noted.
    for (let times = 0; times < 2; times += 1) await runner.run(migration, 'up');
    entered.push('the first');
  });
  await waits;
  await other.close(true);
  expect(entered).toEqual(['the first', 'the other']);
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass('calls_of_this_test')`.execute(
    database.em().getKysely(),
  );
  expect(rows).toEqual([{ valid: true }]);
});

test('a migration does not make others wait behind it: it is tried again, and in the end put off with what to do', async () => {
  const orm = await openOwner(database.url, 50);
  const user = new pg.Client({ connectionString: database.url });
  await user.connect();
  await user.query('begin; lock table calls in access share mode');
  let tries = 0;
  const change = async () => {
    tries += 1;
    await orm.em.getConnection().execute('alter table calls add column of_this_test int null');
  };
  await expect(whileInUse(change, { tries: 2, pauseMs: 1 })).rejects.toThrow(/in use at each of 2 tries/);
  expect(tries).toBe(2);
  await user.end();
  await whileInUse(change, { tries: 1, pauseMs: 1 });
  await orm.close(true);
});

function digestOf(file: string): string | null {
  const path = new URL(`../../migrations/${file}`, import.meta.url);
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null;
}
