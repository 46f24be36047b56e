import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';

/** Every workspace, the demo's too: what looks after all of them takes them one by one, each in its own scope. */
export async function listWorkspaceIds(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from workspaces order by id`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
