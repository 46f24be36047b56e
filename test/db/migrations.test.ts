import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a migrated database has no difference to the entities', async () => {
  expect(await database.owner.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
});
