import type { RetentionSet } from '../../domain/retention/retention.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json } from '../expressions.ts';

/** What a workspace has set of how long calls are kept. */
export async function readWorkspaceRetention(em: EntityManager, workspaceId: string): Promise<RetentionSet> {
  const found = db(em).selectFrom('workspaces').where('id', '=', workspaceId).select('retention');
  return (await found.executeTakeFirst())?.retention ?? {};
}

export async function findWorkspace(
  em: EntityManager,
  workspaceId: string,
): Promise<{ id: string; name: string; retention: RetentionSet } | null> {
  const found = db(em).selectFrom('workspaces').where('id', '=', workspaceId).select(['id', 'name', 'retention']);
  return (await found.executeTakeFirst()) ?? null;
}

export async function updateWorkspace(
  em: EntityManager,
  workspaceId: string,
  { name, retention }: { name: string; retention: RetentionSet },
): Promise<void> {
  await db(em)
    .updateTable('workspaces')
    .where('id', '=', workspaceId)
    .set({ name, retention: json(retention) })
    .execute();
}
