import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';

/** Lets events come in for a connection; in the transaction that makes it. */
export async function insertHookAddress(
  em: EntityManager,
  { connectionId, workspaceId }: { connectionId: string; workspaceId: string },
): Promise<void> {
  await sql`
    insert into hook_addresses (connection_id, workspace_id) values (${connectionId}, ${workspaceId})
    on conflict (connection_id) do nothing
  `.execute(em.getKysely());
}

/** Whose a connection is, or null where there is none: asked before any workspace is known. */
export async function workspaceOfConnection(em: EntityManager, connectionId: string): Promise<string | null> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id as "workspaceId" from hook_addresses where connection_id = ${connectionId}
  `.execute(em.getKysely());
  return rows[0]?.workspaceId ?? null;
}
