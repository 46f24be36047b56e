import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Lets events come in for a connection; in the transaction that makes it. */
export async function insertHookAddress(
  em: EntityManager,
  { connectionId, workspaceId }: { connectionId: string; workspaceId: string },
): Promise<void> {
  await db(em)
    .insertInto('hook_addresses')
    .values({ connectionId, workspaceId })
    .onConflict((conflict) => conflict.column('connectionId').doNothing())
    .execute();
}

/** Whose a connection is, or null where there is none: asked before any workspace is known. */
export async function workspaceOfConnection(em: EntityManager, connectionId: string): Promise<string | null> {
  const address = await db(em)
    .selectFrom('hook_addresses')
    .where('connectionId', '=', connectionId)
    .select('workspaceId')
    .executeTakeFirst();
  return address?.workspaceId ?? null;
}

/** Takes away every way in by a connection of the workspace: the address of its events and its tokens. */
export async function deleteWaysIn(
  em: EntityManager,
  { connectionId, workspaceId }: { connectionId: string; workspaceId: string },
): Promise<void> {
  for (const table of ['ingest_tokens', 'hook_addresses'] as const) {
    await db(em)
      .deleteFrom(table)
      .where('workspaceId', '=', workspaceId)
      .where('connectionId', '=', connectionId)
      .execute();
  }
}
