import { type RawBuilder, sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** A table of an agent's sums: what they are by, and what is summed. */
export interface SumColumns {
  table: string;
  key: readonly string[];
  counts: readonly string[];
}

export interface Settling extends SumColumns {
  agentId: string;
  /** Rows of the table `t` that `fresh` speaks for. */
  within: RawBuilder<unknown>;
  /** The rows as they must be: key, then counts, in order. */
  fresh: RawBuilder<unknown>;
}

const KEYED_BY_AGENT: ReadonlySet<string> = new Set([
  'place_rollups',
  'step_codes',
  'metric_counts',
  'metric_bins',
  'cost_bins',
  'flow_counts',
]);

/** Columns in order, each of the table or the part of the statement that is named. */
export const columnsOf = (columns: readonly string[], of?: string) =>
  sql.join(columns.map((column) => sql.ref(of ? `${of}.${column}` : column)));

const areSame = (columns: readonly string[], a: string, b: string) =>
  sql.join(
    columns.map((column) => sql`${sql.ref(`${a}.${column}`)} = ${sql.ref(`${b}.${column}`)}`),
    sql` and `,
  );

/** Makes a table's rows equal to the fresh ones and touches no other: rows that agree are not written. */
export async function settle(
  em: EntityManager,
  { table, key, counts, agentId, within, fresh }: Settling,
): Promise<void> {
  const columns = [...key, ...counts];
  await sql`
    with fresh(${columnsOf(columns)}) as materialized (${fresh}),
    gone as (
      delete from ${sql.table(table)} t where t.agent_id = ${agentId} and ${within}
        and not exists (select 1 from fresh f where ${areSame(key, 'f', 't')})
    )
    insert into ${sql.table(table)} (agent_id, ${columnsOf(columns)})
    select ${agentId}, ${columnsOf(columns, 'f')} from fresh f
    left join ${sql.table(table)} t on t.agent_id = ${agentId} and ${areSame(key, 't', 'f')}
    where t.agent_id is null or (${columnsOf(counts, 't')}) is distinct from (${columnsOf(counts, 'f')})
    on conflict (${columnsOf(KEYED_BY_AGENT.has(table) ? ['agent_id', ...key] : key)})
    do update set ${sql.join(counts.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}
  `.execute(db(em));
}

export interface Adding extends SumColumns {
  agentId: string;
  /** What is added: key, counts and spans, in order. */
  rows: RawBuilder<unknown>;
  /** -1: taken away. */
  sign?: 1 | -1;
  /** Columns that are no sums, and what becomes of those of the table `t` beside the added `r`. */
  spans?: { columns: readonly string[]; changes: RawBuilder<unknown> };
}

/**
 * Adds rows to the sums of one table, as parts of a `with`. Rows that are there are updated and only the others
 * inserted: an upsert would first lock and note each row, for nothing under the agent's lock. The agent is a column of
 * what is added, so that rows are looked up by their whole key: named by itself, it had PostgreSQL hold every row of the
 * agent against every one that is added.
 */
export function addedTo({ table, key, counts, agentId, rows, sign = 1, spans }: Adding): RawBuilder<unknown> {
  const part = (name: string) => sql.ref(`${table}_${name}`);
  const columns = columnsOf([...key, ...counts, ...(spans?.columns ?? [])]);
  const added = new Map(counts.map((column) => [column, sql`${sql.lit(sign)} * ${sql.ref(`r.${column}`)}`]));
  const raised = [...added].map(([column, by]) => sql`${sql.ref(column)} = ${sql.ref(`t.${column}`)} + ${by}`);
  const begun = [columnsOf(key, 'r'), ...added.values()];
  if (spans) {
    raised.push(spans.changes);
    begun.push(columnsOf(spans.columns, 'r'));
  }
  return sql`
    ${part('given')}(agent_id, ${columns}) as materialized (select ${agentId}::uuid, added.* from (${rows}) added),
    ${part('raised')} as (
      update ${sql.table(table)} t set ${sql.join(raised)} from ${part('given')} r
      where ${areSame(['agent_id', ...key], 't', 'r')} returning ${columnsOf(key, 't')}
    ), ${part('begun')} as (
      insert into ${sql.table(table)} (agent_id, ${columns})
      select ${agentId}::uuid, ${sql.join(begun)}
      from ${part('given')} r where not exists (select 1 from ${part('raised')} t where ${areSame(key, 't', 'r')})
    )`;
}
