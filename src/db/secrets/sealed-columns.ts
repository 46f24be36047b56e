import { sql } from 'kysely';
import type { SealedPlace, Vault } from '../../secrets.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { Tables } from '../tables.ts';

/** A column of sealed values, of a table that belongs to workspaces. */
export interface SealedColumn {
  table: keyof Tables;
  column: string;
  kind: 'text' | 'bytes';
  /** The columns that name a row in the place of its value, as `sealed-places.ts` has them. */
  row: readonly string[];
  /** The column that the place names, where the value may have moved from there. */
  sealedAs: string;
}

const ID = ['id'];
const text = (table: keyof Tables, column: string, row = ID, sealedAs = column): SealedColumn => ({
  table,
  column,
  kind: 'text',
  row,
  sealedAs,
});
const bytes = (table: keyof Tables, column: string, row: readonly string[]): SealedColumn => ({
  table,
  column,
  kind: 'bytes',
  row,
  sealedAs: column,
});

/** Every column that holds what only the secret opens; `test/services/secrets` compares them with the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  text('platform_connections', 'sealed_key'),
  text('platform_connections', 'sealed_webhook_secret'),
  text('agents', 'sealed_chat_key'),
  text('channels', 'sealed_address'),
  text('webhooks', 'sealed_secret'),
  text('webhooks', 'sealed_previous_secret', ID, 'sealed_secret'),
  text('workspace_models', 'sealed_key', ['workspace_id']),
  text('erasures', 'sealed_number'),
  text('import_failures', 'sealed_payload', ['agent_id', 'ref']),
  text('uploaded_records', 'sealed_payload', ['import_id', 'line']),
  bytes('span_batches', 'sealed', ['agent_id', 'trace_id', 'digest']),
  bytes('raw_payloads', 'sealed', ['call_id']),
];

/** Those that hold keys and secrets of others, and not what was said on calls. */
export const KEY_COLUMNS = SEALED_COLUMNS.filter(({ table }) =>
  ['platform_connections', 'agents', 'channels', 'webhooks'].includes(table),
);

/** Sealed under another key than the present one, or for no place. */
function isBefore({ column, kind }: SealedColumn, { text: begin, bytes: head }: Vault['sealedBegins']) {
  const value = sql.ref(column);
  return kind === 'text'
    ? sql`${value} <> '' and not starts_with(${value}, ${begin})`
    : sql`substring(${value} from 1 for ${head.length}) <> ${head}`;
}

export async function countBefore(
  em: EntityManager,
  workspaceId: string,
  of: SealedColumn,
  begins: Vault['sealedBegins'],
): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from ${sql.table(of.table)}
    where workspace_id = ${workspaceId} and ${isBefore(of, begins)}`.execute(db(em));
  return rows[0]?.many ?? 0;
}

export interface SealedValue<Value extends string | Buffer = string | Buffer> {
  /** Where the row lies: good for as long as nobody writes it. */
  place: string;
  value: Value;
  belongsTo: SealedPlace;
}

/** Values under another key or for no place, in the order in which they lie. @param after the place of the last one before */
export async function sealedBefore(
  em: EntityManager,
  workspaceId: string,
  of: SealedColumn,
  { begins, after, limit }: { begins: Vault['sealedBegins']; after: string | null; limit: number },
): Promise<SealedValue[]> {
  const name = sql.join(of.row.map((column) => sql.ref(column)));
  const { rows } = await sql<Omit<SealedValue, 'belongsTo'> & { row: string }>`
    select ctid::text as place, ${sql.ref(of.column)} as value, concat_ws('/', ${name}) as row
    from ${sql.table(of.table)}
    where workspace_id = ${workspaceId} and ${isBefore(of, begins)} and ctid > ${after ?? '(0,0)'}::tid
    order by ctid limit ${limit}`.execute(db(em));
  const column = `${of.table}.${of.sealedAs}`;
  return rows.map(({ row, ...found }) => ({ ...found, belongsTo: { column, workspaceId, row } }));
}

/** Puts values in the place of those that they were made of; a row that somebody wrote meanwhile is left as it is. */
export async function replaceSealed(
  em: EntityManager,
  { table, column, kind }: SealedColumn,
  changes: readonly { place: string; from: string | Buffer; to: string | Buffer }[],
): Promise<number> {
  const type = sql.raw(kind === 'text' ? 'text' : 'bytea');
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = c.value
    from unnest(${changes.map(({ place }) => place)}::tid[], ${changes.map(({ from }) => from)}::${type}[],
      ${changes.map(({ to }) => to)}::${type}[]) as c(place, was, value)
    where t.ctid = c.place and t.${sql.ref(column)} = c.was`.execute(db(em));
  return Number(numAffectedRows ?? 0);
}
