import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, EntityManager } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/database.ts';
import { executePlanned } from '../../src/db/planned.ts';
import { makeAgent, type TestAgent } from '../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let owned: TestDatabase;
/** One connection, so that every statement meets the plans of those before it. */
let database: Database;
let ours: TestAgent;
let theirs: TestAgent;

beforeAll(async () => {
  owned = await createTestDatabase();
  [ours, theirs] = [await makeAgent(owned.em()), await makeAgent(owned.em())];
  const options = { applicationName: 'planned', statementTimeoutMs: 0, onIdleError: () => {} };
  database = await openDatabase({ url: owned.url, poolMax: 1, ...options });
});
afterAll(async () => {
  await database.close();
  await owned.drop();
});

const agentsSeen = async (em: EntityManager, name = 'agents') => {
  const asked = sql<{ id: string; n: number }>`select id, ${1}::int as n from ${sql.table(name)} order by id`;
  const { rows } = await executePlanned(em, asked);
  return rows.map(({ id }) => id);
};

describe('a statement that is planned once a connection', () => {
  test('is named to PostgreSQL, and planned once however often it is sent', async () => {
    const em = database.within(ours.workspaceId);
    for (let times = 0; times < 3; times += 1) await agentsSeen(em);
    const { rows } = await sql<{ name: string; sent: string }>`
      select name, (generic_plans + custom_plans)::text as sent from pg_prepared_statements
      where statement like '%order by id%'
    `.execute(em.getKysely());
    expect(rows).toEqual([{ name: expect.stringMatching(/^planned_\d+$/), sent: '3' }]);
  });

  test('sees the workspace that it is sent for, whoever had it planned', async () => {
    expect(await agentsSeen(database.within(ours.workspaceId))).toEqual([ours.agentId]);
    expect(await agentsSeen(database.within(theirs.workspaceId))).toEqual([theirs.agentId]);
    const inside = await database.within(ours.workspaceId).transactional((tx) => agentsSeen(tx));
    expect(inside).toEqual([ours.agentId]);
    expect(await agentsSeen(database.unscoped())).toEqual([]);
  });

  test('that is refused can be sent again once it is not', async () => {
    const em = database.within(ours.workspaceId);
    await expect(agentsSeen(em, 'not_there_yet')).rejects.toThrow(/not_there_yet/);
    await sql`create view not_there_yet as select id from agents`.execute(owned.em().getKysely());
    await sql`grant select on not_there_yet to earshot_app`.execute(owned.em().getKysely());
    expect((await agentsSeen(em, 'not_there_yet')).length).toBeGreaterThan(0);
  });

  test('that fails while it runs keeps its plan', async () => {
    const em = database.within(ours.workspaceId);
    const divided = async (by: number) =>
      (await executePlanned(em, sql<{ n: number }>`select 10 / ${by}::int as n`)).rows[0]?.n;
    expect(await divided(5)).toBe(2);
    await expect(divided(0)).rejects.toThrow(/division by zero/);
    expect(await divided(2)).toBe(5);
  });
});
