import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { SCOPE_SETTING } from '../scope.ts';

/**
 * Work of one transaction in another workspace than its own: setting up a new one, the shared demo. Afterwards the
 * transaction has its scope back.
 */
export async function actIn<T>(transaction: EntityManager, workspaceId: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ before: string | null }>`
    select current_setting(${SCOPE_SETTING}, true) as before
  `.execute(db(transaction));
  await setScope(transaction, workspaceId);
  const result = await work();
  // Where the work failed, the transaction ends with it.
  await setScope(transaction, rows[0]?.before ?? '');
  return result;
}

async function setScope(transaction: EntityManager, to: string): Promise<void> {
  await sql`select set_config(${SCOPE_SETTING}, ${to}, true)`.execute(db(transaction));
}
