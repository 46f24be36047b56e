import { type RawBuilder, sql } from 'kysely';
import type { EntityManager } from '../../src/db/database.ts';
import { newId } from '../../src/ids.ts';
import type { TestAgent } from './analysed-calls.ts';

interface Column {
  name: string;
  type: string;
  lengthMax: number | null;
  /** Null, a default or a computed value will do. */
  fillsItself: boolean;
  /** The first of a closed set. */
  oneOf: string | null;
}

export interface Table {
  name: string;
  isFenced: boolean;
  isForced: boolean;
  policies: string[];
  columns: Column[];
}

/** A table and how to write a row of it that belongs to somebody; what else is in the row has no meaning. */
export interface FilledTable {
  name: string;
  /** True where rows of the demo's workspace are nobody else's business. */
  isApart: boolean;
  isOf(owner: TestAgent): RawBuilder<unknown>;
  insert(owner: TestAgent): RawBuilder<unknown>;
  /** Assignments: one that changes nothing, and one that makes the row another's. */
  touch: RawBuilder<unknown>;
  give(to: TestAgent): RawBuilder<unknown>;
}

/** The tables as PostgreSQL has them, so that a new one is among them by itself. */
export async function listTables(owner: EntityManager): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select c.relname as name, c.relrowsecurity as "isFenced", c.relforcerowsecurity as "isForced",
      array(select p.polname::text from pg_policy p where p.polrelid = c.oid) as policies,
      (select json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, null),
        'lengthMax', case when a.atttypid = 'varchar'::regtype then a.atttypmod - 4 end,
        'fillsItself', not a.attnotnull or a.atthasdef,
        'oneOf', (select substring(pg_get_constraintdef(k.oid) from '''([^'']+)''') from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1)))
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
    from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname
  `.execute(owner.getKysely());
  return rows;
}

/** Writes one row of each owner into each table; agents have theirs already. */
export async function fillEveryTable(
  owner: EntityManager,
  tables: Table[],
  agents: TestAgent[],
): Promise<FilledTable[]> {
  const filled = tables.map(fillerOf);
  await owner.transactional(async (tx) => {
    const db = tx.getKysely();
    // What rows point at need not be there.
    await sql`set local session_replication_role = replica`.execute(db);
    for (const table of filled) {
      if (table.name === 'agents') continue;
      for (const agent of agents) await table.insert(agent).execute(db);
    }
  });
  return filled;
}

function fillerOf({ name, columns, policies }: Table): FilledTable {
  const has = (column: string) => columns.some((each) => each.name === column);
  const key = has('workspace_id') ? 'workspace_id' : 'agent_id';
  const idOf = (owner: TestAgent) => (key === 'workspace_id' ? owner.workspaceId : owner.agentId);
  const column = sql.ref(key);
  return {
    name,
    isApart: !policies.includes('demo') && !policies.includes('reads'),
    isOf: (owner) => sql`${column} = ${idOf(owner)}`,
    touch: sql`${column} = ${column}`,
    give: (to) => sql`${column} = ${idOf(to)}`,
    insert(owner) {
      const written = columns.filter((each) => !each.fillsItself || each.name === key || each.name === 'agent_id');
      const values = written.map((each) => {
        if (each.name === 'workspace_id') return sql`${owner.workspaceId}`;
        if (each.name === 'agent_id') return sql`${owner.agentId}`;
        return valueOf(each);
      });
      const names = written.map((each) => sql.ref(each.name));
      return sql`insert into ${sql.table(name)} (${sql.join(names)}) values (${sql.join(values)})`;
    },
  };
}

function valueOf({ type, oneOf, lengthMax }: Column): RawBuilder<unknown> {
  if (oneOf !== null) return sql`${oneOf}`;
  switch (type) {
    case 'uuid':
      return sql`${newId()}::uuid`;
    case 'text':
    case 'character varying':
      return sql`${newId().slice(0, lengthMax ?? 36)}`;
    case 'jsonb':
      return sql`'{}'::jsonb`;
    case 'tsvector':
      return sql`''::tsvector`;
    case 'bytea':
      return sql`'\\x00'::bytea`;
    case 'boolean':
      return sql`false`;
    case 'date':
      return sql`current_date`;
    case 'timestamp with time zone':
      return sql`now()`;
    default:
      return type.endsWith('[]') ? sql`'{}'` : sql`1`;
  }
}
