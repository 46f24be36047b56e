import { sql } from 'kysely';
import type { Storage } from '../../domain/limits/storage.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/**
 * What a workspace keeps of its calls: payloads, transcripts, uploads, spans and records that could not be read. Triggers
 * note the difference of each statement in `storage_changes`, so that what erases or expires need not know of it.
 * @param usualMib where the workspace has no number of its own; null without a bound, and nothing is added up then
 */
export async function readStorage(em: EntityManager, workspaceId: string, usualMib: number | null): Promise<Storage> {
  const { rows } = await sql<{ limitMib: number | null; usedBytes: number }>`
    with bound as (
      select coalesce((select storage_limit_mib from workspaces where id = ${workspaceId}), ${usualMib}::int) as mib
    )
    select mib as "limitMib", case when mib is null then 0 else
      coalesce((select bytes from workspace_storage where workspace_id = ${workspaceId}), 0)
      + coalesce((select sum(bytes) from storage_changes where workspace_id = ${workspaceId}), 0) end::float8
      as "usedBytes"
    from bound`.execute(db(em));
  return rows[0] ?? { usedBytes: 0, limitMib: usualMib };
}

/** What was set for the workspace itself; null where the usual bound holds. */
export async function readStorageLimit(em: EntityManager, workspaceId: string): Promise<number | null> {
  const found = db(em).selectFrom('workspaces').where('id', '=', workspaceId).select('storageLimitMib');
  return (await found.executeTakeFirst())?.storageLimitMib ?? null;
}

export async function writeStorageLimit(em: EntityManager, workspaceId: string, mib: number | null): Promise<void> {
  await db(em).updateTable('workspaces').where('id', '=', workspaceId).set({ storageLimitMib: mib }).execute();
}

/**
 * Adds the changes up, so that there are never many. Where a bound is new, what is there is counted, and once more the
 * next time: a transaction that was open the first time may not have noted what it changed.
 */
export async function settleStorage(em: EntityManager, workspaceId: string, usualMib: number | null): Promise<void> {
  const { rows } = await sql<{ countedAt: string | null }>`
    select counted_at as "countedAt" from workspace_storage where workspace_id = ${workspaceId}`.execute(db(em));
  const [row] = rows;
  if (row?.countedAt) return addUp(em, workspaceId);
  const { limitMib } = await readStorage(em, workspaceId, usualMib);
  if (row || limitMib !== null) await count(em, workspaceId, row !== undefined);
}

async function addUp(em: EntityManager, workspaceId: string): Promise<void> {
  await sql`
    with gone as (delete from storage_changes where workspace_id = ${workspaceId} returning bytes)
    update workspace_storage set bytes = bytes + (select coalesce(sum(gone.bytes), 0) from gone)
    where workspace_id = ${workspaceId} and exists (select from gone)`.execute(db(em));
}

/** One statement sees rows and their changes at one moment: what it counts is not among the changes any more. */
async function count(em: EntityManager, workspaceId: string, isSure: boolean): Promise<void> {
  await sql`
    with gone as (delete from storage_changes where workspace_id = ${workspaceId}), kept (bytes) as (
      select sum(octet_length(sealed)) from raw_payloads where workspace_id = ${workspaceId}
      union all select sum(pg_column_size(call #> '{}') + coalesce(pg_column_size(pending #> '{}'), 0))
        from transcripts where workspace_id = ${workspaceId}
      union all select sum(octet_length(sealed_payload)) from uploaded_records where workspace_id = ${workspaceId}
      union all select sum(octet_length(sealed_payload)) from import_failures where workspace_id = ${workspaceId}
      union all select sum(octet_length(sealed)) from span_batches where workspace_id = ${workspaceId}
    )
    insert into workspace_storage (workspace_id, bytes, counted_at)
    select ${workspaceId}, coalesce(sum(bytes), 0), case when ${isSure} then now() end from kept
    on conflict (workspace_id) do update set bytes = excluded.bytes, counted_at = excluded.counted_at
  `.execute(db(em));
}
