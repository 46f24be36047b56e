import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntityManager } from '../../src/db/database.ts';
import { db } from '../../src/db/db.ts';
import { together } from '../../src/db/together.ts';
import { newId } from '../../src/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

/** Halves numbers in PostgreSQL, which falls over a number that is none. */
function halving() {
  const goes: string[][] = [];
  const half = together(async (em: EntityManager, items: readonly string[]) => {
    goes.push([...items]);
    const { rows } = await sql<{ half: number }>`
      select given.value::int / 2 as half from unnest(${items}::text[]) with ordinality as given(value, nth) order by nth
    `.execute(db(em));
    return rows.map((row) => row.half);
  });
  return { goes, half };
}

test('what comes while a go is under way is done by the next one, and each gets its own answer', async () => {
  const em = database.within(newId());
  const { goes, half } = halving();
  expect(await Promise.all(['2', '4', '6', '8'].map((item) => half(em, item)))).toEqual([1, 2, 3, 4]);
  expect(goes).toEqual([['2'], ['4', '6', '8']]);
  expect(await half(em, '10')).toBe(5);
});

test('an item that cannot be done fails alone', async () => {
  const em = database.within(newId());
  const { half } = halving();
  const ended = await Promise.allSettled(['2', 'x', '6'].map((item) => half(em, item)));
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('workspaces and transactions are never done together', async () => {
  const { goes, half } = halving();
  const one = newId();
  await Promise.all([
    half(database.within(one), '2'),
    half(database.within(newId()), '4'),
    database.within(one).transactional((tx) => half(tx, '6')),
    half(database.within(one), '8'),
  ]);
  expect(goes.toSorted()).toEqual([['2'], ['4'], ['6'], ['8']]);
});
