import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dropOldOutboxEntries } from '../../src/db/system/outbox.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const ENTRIES = 100_000;
/** Those of an hour, of the 200 that the entries are spread over. */
const AN_HOUR = 500;
let database: TestDatabase;
const rows = async <Row>(query: ReturnType<typeof sql<Row>>, em = database.em()): Promise<Row[]> =>
  (await query.execute(em.getKysely())).rows;

beforeAll(async () => {
  database = await createTestDatabase();
  // Each was made at the time in its id, and sent a second later. The oldest are of eight days and some hours ago.
  await rows(sql`
    insert into outbox_entries (id, workflow, workflow_id, workspace_id, created_at, sent_at)
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
      'agentCoordinator', 'agent/' || n, gen_random_uuid(), at, at + interval '1 second'
    from (select n, now() - interval '200 hours' * n / ${ENTRIES} as at from generate_series(1, ${ENTRIES}::int) n) made`);
  await rows(sql`analyze outbox_entries`);
});
afterAll(() => database.drop());

const standing = async (em = database.em()) => {
  const query = sql<{ entries: number; oldestHours: number }>`
    select count(*)::int as entries, extract(epoch from now() - min(sent_at))::float8 / 3600 as "oldestHours" from outbox_entries`;
  const [row] = await rows(query, em);
  return row;
};

interface Work {
  /** Scans of the whole table, and rows that they read. */
  scans: number;
  read: number;
  /** Rows found by an index. */
  fetched: number;
  dropped: number;
  /** Age of the oldest that is left, in hours, by the clock of the clean-up: another would come of age between two looks. */
  oldestHours: number;
}

/** What one clean-up does to the table. */
const cleanUp = (): Promise<Work> =>
  database.em().transactional(async (em) => {
    const done = async () => {
      const [row] = await rows(
        sql<
          Omit<Work, 'oldestHours'>
        >`select seq_scan::int as scans, seq_tup_read::int as read, idx_tup_fetch::int as fetched, n_tup_del::int as dropped
          from pg_stat_xact_user_tables where relname = 'outbox_entries'`,
        em,
      );
      return row ?? { scans: 0, read: 0, fetched: 0, dropped: 0 };
    };
    const before = await done();
    await dropOldOutboxEntries(em);
    const after = await done();
    const { oldestHours = 0 } = (await standing(em)) ?? {};
    return {
      oldestHours,
      scans: after.scans - before.scans,
      read: after.read - before.read,
      fetched: after.fetched - before.fetched,
      dropped: after.dropped - before.dropped,
    };
  });

test('what was sent over a week ago goes, and of the 100,000 others none is read', async () => {
  const old = 32 * AN_HOUR;
  const first = await cleanUp();
  expect(first).toMatchObject({ scans: 0, read: 0 });
  expect(Math.abs(first.dropped - old)).toBeLessThan(100);
  expect(first.fetched).toBeLessThan(old + 100);
  expect(first.oldestHours).toBeLessThanOrEqual(168);
  await rows(sql`vacuum analyze outbox_entries`);
  const next = await cleanUp();
  expect(next).toMatchObject({ scans: 0, read: 0 });
  expect(next.fetched).toBeLessThan(100);
});

test('one that was made long ago stays while it is unsent, and for a week from when it was sent', async () => {
  // None of the others comes of age meanwhile.
  await rows(sql`delete from outbox_entries where sent_at < now() - interval '100 hours'`);
  await rows(sql`update outbox_entries set sent_at = null where id = (select min(id::text)::uuid from outbox_entries)`);
  await rows(sql`update outbox_entries set id = '01900000-0000-7000-8000-000000000001' where sent_at is null`);
  const { entries } = (await standing()) ?? {};
  await cleanUp();
  expect(await standing()).toMatchObject({ entries });
  await rows(sql`update outbox_entries set sent_at = now() where sent_at is null`);
  await cleanUp();
  expect(await standing()).toMatchObject({ entries });
  await rows(
    sql`update outbox_entries set sent_at = now() - interval '8 days' where created_at = (select min(created_at) from outbox_entries)`,
  );
  expect((await cleanUp()).dropped).toBe(1);
});
