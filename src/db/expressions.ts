import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely';
import { keysOf } from '../domain/keys-of.ts';
import type { EntityManager } from './database.ts';
import { db, NAMES } from './db.ts';
import type { Row, Tables } from './tables.ts';

/** What the builder has no word for, or a long one, each in one place. */

const eb = expressionBuilder<Tables>();

/** The time of the transaction. */
export const now = eb.fn<string>('now');

/** The time at this moment, within a transaction too. */
export const clock = eb.fn<string>('clock_timestamp');

/** First day of the UTC month of this moment. */
export const thisMonth = sql<string>`date_trunc('month', clock_timestamp() at time zone 'UTC')::date`;

type TimeUnit = 'milliseconds' | 'seconds' | 'minutes' | 'hours' | 'days';

const interval = (amount: number, unit: TimeUnit) => eb.cast<string>(eb.val(`${amount} ${unit}`), sql`interval`);
export const after = (time: Expression<string>, amount: number, unit: TimeUnit) =>
  eb(time, '+', interval(amount, unit));
export const fromNow = (amount: number, unit: TimeUnit) => after(now, amount, unit);
export const ago = (amount: number, unit: TimeUnit) => eb(now, '-', interval(amount, unit));

export const secondsSince = (time: Expression<string | null>) =>
  sql<number | null>`extract(epoch from now() - ${time})::float8`;

/** Milliseconds since 1970, whole. */
export const epochMs = <Time extends string | null>(time: Expression<Time>) =>
  sql<Time extends null ? null : number>`floor(extract(epoch from ${time}) * 1000)::float8`;

/** The UTC day of a time, as text. */
export const utcDay = (time: Expression<string | null>) => sql<string>`(${time} at time zone 'UTC')::date::text`;

/** A document, which a list would not become by itself. */
export const json = <Value>(value: Value) => eb.cast<Value>(eb.val(JSON.stringify(value)), 'jsonb');

/** An id where nothing else tells PostgreSQL that it is one. */
export const asId = <Id extends string | null>(id: Id) => eb.cast<Id>(eb.val(id), 'uuid');

/** Whether a text holds any of these. */
export const holdsAny = (text: Expression<string | null>, parts: readonly string[]) =>
  sql<boolean>`exists (select from unnest(${parts}::text[]) as part(word) where strpos(${text}, part.word) > 0)`;

/** Rows of an agent, of the table that a statement calls so. */
export const ofAgent = (table: string, agentId: string) => sql<boolean>`${sql.ref(`${table}.agent_id`)} = ${agentId}`;

/**
 * The same where rows are named by their ids, in a form that no index answers: a plan that is kept, or made before there
 * were statistics, may not go through all rows of the agent for these.
 */
export const alsoOfAgent = (table: string, agentId: string) => sql<boolean>`(${ofAgent(table, agentId)}) is true`;

/** One of a list that is sent as one value, so that the statement's text is the same for each length. */
export const anyId = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`;
export const anyText = <Text extends string>(texts: readonly Text[]) => sql<Text>`any(${texts}::text[])`;

/** Holds a name until the transaction ends: others who ask for it wait. */
export async function lockFor(em: EntityManager, name: string): Promise<void> {
  const key = eb.fn('hashtextextended', [eb.val(name), eb.lit(0)]);
  await db(em)
    .selectNoFrom(eb.fn('pg_advisory_xact_lock', [key]).as('held'))
    .execute();
}

/** Tells those who listen, once the transaction commits. */
export async function notify(em: EntityManager, channel: string, message: string): Promise<void> {
  await db(em)
    .selectNoFrom(eb.fn('pg_notify', [eb.val(channel), eb.val(message)]).as('told'))
    .execute();
}

type ColumnType = 'jsonb' | 'uuid' | 'text' | 'integer' | 'bigint' | 'float8' | 'boolean' | 'timestamptz';

/** Rows as a table of one statement, each column sent as one value: there may be more of them than parameters. */
export function listed<Given extends object>(
  rows: readonly Given[],
  types: { readonly [Name in keyof Given & string]: ColumnType },
) {
  const names = keysOf(types);
  const values = names.map((name) => sql`${rows.map((row) => row[name])}::${sql.raw(types[name])}[]`);
  const columns = sql.join(names.map((name) => sql.id(name)));
  return sql<Given>`unnest(${sql.join(values)})`.as<'listed'>(sql`listed(${columns})`);
}

/**
 * Rows of a table that need not be in it, as a table of one statement: PostgreSQL reads each value as the type of its
 * column, lists and documents too. Sent as one value, however many there are.
 */
export function given<Table extends keyof Tables, Name extends keyof Row<Table> & string>(
  table: Table,
  rows: readonly { readonly [Column in Name]: Row<Table>[Column] }[],
) {
  const columns = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [NAMES.columnOf(name), value])),
  );
  return sql<Pick<Row<Table>, Name>>`jsonb_populate_recordset(null::${sql.table(table)}, ${json(columns)})`.as('given');
}

/** Columns of a table as `given` has them. */
export function asGiven<Table extends keyof Tables, Name extends keyof Row<Table> & string>(
  _table: Table,
  names: readonly Name[],
) {
  const entries = names.map((name) => [name, sql.ref(`given.${name}`)] as const);
  // Each name has its own column's type, which a list of entries does not keep apart.
  return Object.fromEntries(entries) as { [Column in Name]: RawBuilder<Row<Table>[Column]> };
}
