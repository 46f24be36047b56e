import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Every workspace, the demo's too: what looks after all of them takes them one by one, each in its own scope. */
export async function listWorkspaceIds(em: EntityManager): Promise<string[]> {
  const rows = await db(em).selectFrom('workspaces').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}
