import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dropEndedSignIns } from '../../src/db/system/sessions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const rows = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await query.execute(database.em().getKysely())).rows;

test('sessions and links that ended over a week ago are gone, and all others stay', async () => {
  const [ids] = await rows(sql<{ workspaceId: string; personId: string }>`
    with w as (insert into workspaces (id, name) values (gen_random_uuid(), 'Bistro') returning id),
      p as (insert into people (id, email, name) values (gen_random_uuid(), 'a@example.com', 'Ann') returning id)
    select w.id as "workspaceId", p.id as "personId" from w, p`);
  const { workspaceId, personId } = ids ?? { workspaceId: '', personId: '' };
  const session = (name: string, expires: string, revoked: string | null) =>
    rows(sql`
      insert into sessions (id, workspace_id, person_id, secret_hash, expires_at, revoked_at)
      values (gen_random_uuid(), ${workspaceId}, ${personId}, ${name}, now() + ${expires}::interval, now() + ${revoked}::interval)`);
  const link = (name: string, expires: string, used: string | null) =>
    rows(sql`
      insert into one_time_links (id, secret_hash, purpose, workspace_id, person_id, expires_at, used_at)
      values (gen_random_uuid(), ${name}, 'password', ${workspaceId}, ${personId}, now() + ${expires}::interval, now() + ${used}::interval)`);
  for (const add of [session, link]) {
    await add('open', '1 day', null);
    await add('ended lately', '-6 days', null);
    await add('ended', '-8 days', null);
    await add('left or used lately', '20 days', '-6 days');
    await add('left or used', '20 days', '-8 days');
  }
  await dropEndedSignIns(database.em());
  for (const table of ['sessions', 'one_time_links']) {
    const left = await rows(sql<{ name: string }>`select secret_hash as name from ${sql.table(table)} order by 1`);
    expect(left.map(({ name }) => name)).toEqual(['ended lately', 'left or used lately', 'open']);
  }
});
