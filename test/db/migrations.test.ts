import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

function digestOf(file: string): string | null {
  const path = new URL(`../../migrations/${file}`, import.meta.url);
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null;
}
