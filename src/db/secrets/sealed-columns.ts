import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { Tables } from '../tables.ts';

/** A column of sealed values, of a table that belongs to workspaces. */
export interface SealedColumn {
  table: keyof Tables;
  column: string;
  kind: 'text' | 'bytes';
}

const text = (table: keyof Tables, column: string): SealedColumn => ({ table, column, kind: 'text' });
const bytes = (table: keyof Tables, column: string): SealedColumn => ({ table, column, kind: 'bytes' });

/** Every column that holds what only the secret opens; `test/db/secrets` compares them with the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  text('platform_connections', 'sealed_key'),
  text('platform_connections', 'sealed_webhook_secret'),
  text('agents', 'sealed_chat_key'),
  text('channels', 'sealed_address'),
  text('webhooks', 'sealed_secret'),
  text('webhooks', 'sealed_previous_secret'),
  text('erasures', 'sealed_number'),
  text('import_failures', 'sealed_payload'),
  text('uploaded_records', 'sealed_payload'),
  bytes('span_batches', 'sealed'),
  bytes('raw_payloads', 'sealed'),
];

/** Under another key than this. */
function isBefore({ column, kind }: SealedColumn, keyId: string) {
  const value = sql.ref(column);
  return kind === 'text'
    ? sql`not starts_with(${value}, ${`v1.${keyId}.`})`
    : sql`substring(${value} from 1 for 4) <> ${Buffer.from(keyId, 'hex')}`;
}

export async function countBefore(
  em: EntityManager,
  workspaceId: string,
  of: SealedColumn,
  keyId: string,
): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from ${sql.table(of.table)}
    where workspace_id = ${workspaceId} and ${isBefore(of, keyId)}`.execute(db(em));
  return rows[0]?.many ?? 0;
}

export interface SealedValue<Value extends string | Buffer = string | Buffer> {
  /** Where the row lies: good for as long as nobody writes it. */
  place: string;
  value: Value;
}

/** Values under another key, in the order in which they lie. @param after the place of the last one before */
export async function sealedBefore(
  em: EntityManager,
  workspaceId: string,
  of: SealedColumn,
  { keyId, after, limit }: { keyId: string; after: string | null; limit: number },
): Promise<SealedValue[]> {
  const { rows } = await sql<SealedValue>`
    select ctid::text as place, ${sql.ref(of.column)} as value from ${sql.table(of.table)}
    where workspace_id = ${workspaceId} and ${isBefore(of, keyId)} and ctid > ${after ?? '(0,0)'}::tid
    order by ctid limit ${limit}`.execute(db(em));
  return rows;
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
