import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';
import type { Row } from '../tables.ts';

/** A model of a workspace's own. */
export type OwnModel = Pick<Row<'workspace_models'>, 'protocol' | 'url' | 'model' | 'sealedKey' | 'price'>;

export async function findOwnModel(em: EntityManager, workspaceId: string): Promise<OwnModel | null> {
  const found = await db(em)
    .selectFrom('workspace_models')
    .where('workspaceId', '=', workspaceId)
    .select(['protocol', 'url', 'model', 'sealedKey', 'price'])
    .executeTakeFirst();
  return found ?? null;
}

export async function saveOwnModel(em: EntityManager, workspaceId: string, own: OwnModel): Promise<void> {
  const row = { ...own, price: own.price && json(own.price) };
  await db(em)
    .insertInto('workspace_models')
    .values({ workspaceId, ...row })
    .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet({ ...row, updatedAt: now }))
    .execute();
}

export async function removeOwnModel(em: EntityManager, workspaceId: string): Promise<void> {
  await db(em).deleteFrom('workspace_models').where('workspaceId', '=', workspaceId).execute();
}

/** Agents on whose calls a model is to be asked. */
export async function agentsToRead(em: EntityManager, workspaceId: string): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('model_readings')
    .where('workspaceId', '=', workspaceId)
    .where('state', '=', 'waiting')
    .select('agentId')
    .distinct()
    .execute();
  return rows.map(({ agentId }) => agentId);
}

/** Who is asked, and pays, where a workspace has a model of its own. */
export const ownAccount = (workspaceId: string, url: string) => ({
  id: `workspace ${workspaceId} ${url}`,
  host: new URL(url).host,
});
