import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, now } from '../expressions.ts';

export interface SeenProcess {
  id: string;
  kind: 'api' | 'worker';
  pid: number;
  host: string;
}

/** How long after its last sign of life a process still counts as there: three missed beats. */
const PROCESS_ALIVE_SECONDS = 16;

/** A sign of life; the first one makes the row, and rows of processes that died a day ago go. */
export async function seeProcess(em: EntityManager, { id, kind, pid, host }: SeenProcess): Promise<void> {
  await db(em)
    .insertInto('processes_seen')
    .values({ id, kind, pid, host })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt: now }))
    .execute();
  await db(em).deleteFrom('processes_seen').where('seenAt', '<', ago(1, 'days')).execute();
}

/** A process that ends tidily says so. */
export async function forgetProcess(em: EntityManager, id: string): Promise<void> {
  await db(em).deleteFrom('processes_seen').where('id', '=', id).execute();
}

export function processesAlive(em: EntityManager, kind: SeenProcess['kind']): Promise<SeenProcess[]> {
  return db(em)
    .selectFrom('processes_seen')
    .where('kind', '=', kind)
    .where('seenAt', '>', ago(PROCESS_ALIVE_SECONDS, 'seconds'))
    .select(['id', 'kind', 'pid', 'host'])
    .orderBy('startedAt')
    .orderBy('id')
    .execute();
}
