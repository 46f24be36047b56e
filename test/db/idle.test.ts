import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('an idle connection that is lost is told, and the next query has another', async () => {
  const lost: Error[] = [];
  const watched = await openDatabase({
    url: database.url,
    poolMax: 1,
    applicationName: 'earshot-test-idle',
    statementTimeoutMs: 0,
    onIdleError: (error) => lost.push(error),
  });
  const one = () => sql<{ one: number }>`select 1 as one`.execute(watched.unscoped().getKysely());
  await one();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'earshot-test-idle'`.execute(
    database.em().getKysely(),
  );
  await expect.poll(() => lost.length).toBe(1);
  expect((await one()).rows).toEqual([{ one: 1 }]);
  await watched.close();
});
