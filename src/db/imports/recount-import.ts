import type { KeptRecords } from '../../temporal/import-calls.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { epochMs, now } from '../expressions.ts';

/** Counts what an import keeps from the record: a page that was lost under way counted nothing. */
export async function recountImport(em: EntityManager, importId: string): Promise<KeptRecords> {
  const calls = await db(em)
    .selectFrom('calls')
    .where('agentId', '=', (eb) =>
      eb.selectFrom('imports').where('imports.id', '=', importId).select('imports.agentId'),
    )
    .where('importId', '=', importId)
    .select((eb) => [
      eb.fn.countAll<number>().as('stored'),
      eb.fn.countAll<number>().filterWhere('stateReason', 'is not', null).as('unanalysed'),
      epochMs(now).as('atMs'),
    ])
    .executeTakeFirstOrThrow();
  const { unread } = await db(em)
    .selectFrom('import_failures')
    .where('importId', '=', importId)
    .where('resolvedAt', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow();
  return { ...calls, unread };
}
