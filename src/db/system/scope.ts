import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { SCOPE_SETTING } from '../scope.ts';

/**
 * Work of one transaction in another workspace than its own: setting up a new one, the shared demo. Afterwards the
 * transaction has its scope back.
 */
export async function actIn<T>(transaction: EntityManager, workspaceId: string, work: () => Promise<T>): Promise<T> {
  const { before } = await db(transaction)
    .selectNoFrom(({ fn, lit, val }) =>
      fn<string | null>('current_setting', [val(SCOPE_SETTING), lit(true)]).as('before'),
    )
    .executeTakeFirstOrThrow();
  await setScope(transaction, workspaceId);
  const result = await work();
  // Where the work failed, the transaction ends with it.
  await setScope(transaction, before ?? '');
  return result;
}

async function setScope(transaction: EntityManager, to: string): Promise<void> {
  await db(transaction)
    .selectNoFrom(({ fn, lit, val }) => fn('set_config', [val(SCOPE_SETTING), val(to), lit(true)]).as('set'))
    .execute();
}
