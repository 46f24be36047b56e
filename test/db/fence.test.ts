import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntityManager } from '../../src/db/database.ts';
import { ensureSystemWorkspace } from '../../src/db/system/setup.ts';
import { newId } from '../../src/ids.ts';
import { OUTSIDE_ROW_SECURITY } from '../check/fence.ts';
import { makeAgent, type TestAgent } from '../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type FilledTable, fillEveryTable, listTables, type Table } from '../support/fill-tables.ts';

/** Reached by `src/db/system` only; and the list of migrations, which belongs to nobody. */
const OUTSIDE = new Set([...OUTSIDE_ROW_SECURITY, 'mikro_orm_migrations']);

/** The owner searches it, in a function that names the workspaces in scope itself. */
const SEARCHED_AS_OWNER = 'call_words';

let database: TestDatabase;
let ours: TestAgent;
let theirs: TestAgent;
let demo: TestAgent;
let tables: Table[];
/** A row of each of the three in every table. */
let filled: FilledTable[];

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = database.em();
  [ours, theirs] = [await makeAgent(owner), await makeAgent(owner)];
  demo = await makeDemo(owner);
  tables = await listTables(owner);
  filled = await fillEveryTable(
    owner,
    tables.filter(({ name }) => !OUTSIDE.has(name)),
    [ours, theirs, demo],
  );
});
afterAll(() => database.drop());

async function makeDemo(em: EntityManager): Promise<TestAgent> {
  const workspaceId = await ensureSystemWorkspace(em);
  const agentId = newId();
  await sql`
    insert into agents (id, workspace_id, name, provider, provider_agent_id, source, read_only)
    values (${agentId}, ${workspaceId}, 'Demo', 'demo', ${agentId}, 'demo', true)
  `.execute(em.getKysely());
  return { workspaceId, agentId };
}

/** A statement in a transaction that is rolled back. @returns how many rows it touched. */
async function tried(em: EntityManager, statement: ReturnType<typeof sql>): Promise<number> {
  const undone = new Error('undone');
  let touched = -1;
  await em
    .transactional(async (tx) => {
      const { rows, numAffectedRows } = await statement.execute(tx.getKysely());
      touched = Number(numAffectedRows ?? rows.length);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return touched;
}

const refusal = (em: EntityManager, statement: ReturnType<typeof sql>) =>
  tried(em, statement).then(
    () => 'let through',
    (error: Error) => error.message.replace(/^.*(?=new row violates)/s, ''),
  );

const withinOurs = () => database.within(ours.workspaceId);
const count = async (em: EntityManager, table: FilledTable, of?: TestAgent) => {
  const where = of ? sql`where ${table.isOf(of)}` : sql``;
  const { rows } = await sql`select 1 from ${sql.table(table.name)} ${where}`.execute(em.getKysely());
  return rows.length;
};

describe('the role of the application', () => {
  test('is neither superuser nor owner, cannot sign in, and bypasses nothing', async () => {
    const { rows } = await sql`
      select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
        exists (select 1 from pg_class c where c.relowner = r.oid) as owns,
        exists (select 1 from pg_auth_members m where m.member = r.oid) as "isMember"
      from pg_roles r where rolname = 'earshot_app'
    `.execute(database.em().getKysely());
    const none = { rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false };
    expect(rows).toEqual([{ ...none, rolcreatedb: false, owns: false, isMember: false }]);
  });

  test('is taken on by every connection of the pool, also by one that takes the place of a lost one', async () => {
    const roles = async () => {
      const asked = sql<{ role: string; pid: number }>`
        select current_user as role, pg_backend_pid() as pid, pg_sleep(0.05)
      `;
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => asked.execute(database.unscoped().getKysely())),
      );
      return answers.flatMap(({ rows }) => rows);
    };
    const before = await roles();
    await sql`select pg_terminate_backend(pid) from unnest(${before.map(({ pid }) => pid)}::int[]) as lost(pid)`.execute(
      database.em().getKysely(),
    );
    await expect.poll(async () => (await roles().catch(() => [])).length).toBe(4);
    const after = await roles();
    expect(new Set([...before, ...after].map(({ role }) => role))).toEqual(new Set(['earshot_app']));
    const pids = new Set(before.map(({ pid }) => pid));
    expect(after.some(({ pid }) => pids.has(pid))).toBe(false);
  });

  test('cannot change the fence, nor read what was migrated', async () => {
    const em = withinOurs();
    for (const statement of [
      sql`alter table calls no force row level security`,
      sql`drop policy own on calls`,
      sql`truncate calls`,
      sql`select * from mikro_orm_migrations`,
    ]) {
      await expect(tried(em, statement)).rejects.toThrow(/must be owner|permission denied/);
    }
  });
});

describe('every table with data of a workspace', () => {
  test('has forced row security and a policy', () => {
    const open = tables.filter(
      ({ name, isFenced, isForced, policies }) =>
        !OUTSIDE.has(name) && !(isFenced && (isForced || name === SEARCHED_AS_OWNER) && policies.length > 0),
    );
    const missing = open.map(
      ({ name }) =>
        `${name} has no row security: spread fenced, fencedApart or fencedByAgent (src/db/row-security.ts) into its entity and put the policies into its migration.`,
    );
    expect(missing).toEqual([]);
  });

  test('shows nothing without a scope', async () => {
    for (const table of filled) expect([table.name, await count(database.unscoped(), table)]).toEqual([table.name, 0]);
  });

  test('shows nothing of another workspace, even to a statement that asks for everything', async () => {
    const em = withinOurs();
    for (const table of filled) {
      const seen = { own: await count(em, table, ours), others: await count(em, table, theirs) };
      expect([table.name, seen]).toEqual([table.name, { own: 1, others: 0 }]);
      expect([table.name, await count(em, table)]).toEqual([table.name, 1 + (await count(em, table, demo))]);
    }
  });

  test('lets no row of another workspace be changed or removed, those of the demo neither', async () => {
    const em = withinOurs();
    for (const table of filled) {
      for (const other of [theirs, demo]) {
        const touched = {
          changed: await tried(em, sql`update ${sql.table(table.name)} set ${table.touch} where ${table.isOf(other)}`),
          removed: await tried(em, sql`delete from ${sql.table(table.name)} where ${table.isOf(other)}`),
        };
        expect([table.name, touched]).toEqual([table.name, { changed: 0, removed: 0 }]);
      }
      const own = sql`update ${sql.table(table.name)} set ${table.touch} where ${table.isOf(ours)}`;
      expect([table.name, await tried(em, own)]).toEqual([table.name, 1]);
    }
  });

  test('takes no row for another workspace, for the demo neither', async () => {
    const em = withinOurs();
    for (const table of filled) {
      for (const other of [theirs, demo]) {
        const words = `new row violates row-level security policy for table "${table.name}"`;
        expect(await refusal(em, table.insert(other))).toBe(words);
      }
    }
  });

  test('hands no row of ours over to another workspace', async () => {
    const em = withinOurs();
    for (const table of filled) {
      const given = sql`update ${sql.table(table.name)} set ${table.give(theirs)} where ${table.isOf(ours)}`;
      expect(await refusal(em, given)).toBe(`new row violates row-level security policy for table "${table.name}"`);
    }
  });
});

test('the shared demo is read by every workspace; what members did and heard there is not', async () => {
  const em = withinOurs();
  const hidden = [];
  for (const table of filled) if ((await count(em, table, demo)) === 0) hidden.push(table.name);
  expect(hidden.sort()).toEqual(
    filled
      .filter(({ isApart }) => isApart)
      .map(({ name }) => name)
      .sort(),
  );
});

describe('the scope', () => {
  test('ends with its transaction or statement: the next user of the connection has none', async () => {
    const scope = sql<{ scope: string | null }>`select workspace_in_scope() as scope`;
    const asked = (em: EntityManager) => scope.execute(em.getKysely()).then(({ rows }) => rows[0]?.scope);
    for (let round = 0; round < 8; round += 1) {
      expect(await asked(withinOurs())).toBe(ours.workspaceId);
      expect(await asked(database.unscoped())).toBe(null);
      await withinOurs().transactional(async (tx) => expect(await asked(tx)).toBe(ours.workspaceId));
      expect(await asked(database.unscoped())).toBe(null);
      await expect(asked(withinOurs()).then(() => sql`select 1 / 0`.execute(withinOurs().getKysely()))).rejects.toThrow(
        /division by zero/,
      );
      expect(await asked(database.within(theirs.workspaceId))).toBe(theirs.workspaceId);
    }
  });

  test('is the id of a workspace and nothing else', () => {
    for (const id of ['', `${ours.workspaceId}', true) --`])
      expect(() => database.within(id)).toThrow(/id of a workspace/);
  });
});
