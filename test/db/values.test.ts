import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '../../src/db/db.ts';
import { PropertyNames } from '../../src/db/property-names.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The two directions, as statements and answers take them. */
class Names extends PropertyNames {
  both(property: string) {
    const column = this.snakeCase(property);
    return { column, property: this.camelCase(column) };
  }
}

describe('what PostgreSQL answers', () => {
  test('each property of each table has the column that statements are built with', () => {
    const names = new Names();
    const properties = [...database.em().getMetadata()].flatMap(({ props }) => props);
    expect(properties.length).toBeGreaterThan(500);
    for (const { name, fieldNames } of properties) {
      expect(names.both(name)).toEqual({ column: fieldNames[0], property: name });
    }
  });

  test('columns have the names of properties, also in statements that are written out; documents keep theirs', async () => {
    const { rows } = await sql`
      select 1 as some_count, 'a' as word, '{"inner_key": [{"deep_key": 1}]}'::jsonb as a_document
    `.execute(db(database.em()));
    expect(rows).toEqual([{ someCount: 1, word: 'a', aDocument: { inner_key: [{ deep_key: 1 }] } }]);
  });

  test('times are ISO 8601 in UTC with milliseconds, counts and sums are numbers', async () => {
    const { rows } = await sql`
      select '2026-11-21 14:56:45.3981+02'::timestamptz as time, '0001-01-01 00:00:00+00'::timestamptz as first,
        null::timestamptz as none, 9007199254740991::bigint as count, sum(x) as sum, '2026-11-21'::date as day
      from (values (1::bigint), (2)) as v(x)
    `.execute(db(database.em()));
    expect(rows).toEqual([
      {
        time: '2026-11-21T12:56:45.398Z',
        first: '0001-01-01T00:00:00.000Z',
        none: null,
        count: 9007199254740991,
        sum: 3,
        day: '2026-11-21',
      },
    ]);
  });
});
