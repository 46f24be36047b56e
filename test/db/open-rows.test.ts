import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
const ENDED = 20_000;
const workspace = '01900000-0000-7000-8000-00000000000a';
const agent = '01900000-0000-7000-8000-00000000000b';

beforeAll(async () => {
  database = await createTestDatabase();
  const rows = (query: ReturnType<typeof sql>) => query.execute(database.em().getKysely());
  await rows(sql`insert into workspaces (id, name) values (${workspace}, 'Old')`);
  await rows(sql`insert into agents (id, workspace_id, name, provider, provider_agent_id, source)
    values (${agent}, ${workspace}, 'Old', 'demo', 'old', 'demo')`);
  await rows(sql`insert into imports (id, workspace_id, agent_id, kind, status)
    select gen_random_uuid(), ${workspace}, ${agent}, 'poll', case when n % 1000 = 0 then 'running' else 'complete' end
    from generate_series(1, ${ENDED}::int) n`);
  await rows(sql`analyze imports`);
});
afterAll(() => database.drop());

test('open imports of a workspace are found without a look at those that ended', async () => {
  const statuses = ['queued', 'running', 'paused'];
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select id from imports where workspace_id = ${workspace} and status in (${sql.join(statuses)})
      and updated_at < now() order by created_at limit 1000`.execute(database.em().getKysely());
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('imports_open');
});
