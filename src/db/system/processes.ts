import type { ProcessStanding, SeenStanding } from '../../domain/installation/findings.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, clock, epochMs, json } from '../expressions.ts';

export interface SeenProcess {
  id: string;
  kind: 'api' | 'worker';
  pid: number;
  host: string;
}

/** How long after its last sign of life a process still counts as there: three missed beats. */
const PROCESS_ALIVE_SECONDS = 16;

/** A sign of life; the first one makes the row, and rows of processes that died a day ago go. */
export async function seeProcess(
  em: EntityManager,
  { id, kind, pid, host }: SeenProcess,
  standing: ProcessStanding,
): Promise<void> {
  const said = json(standing);
  await db(em)
    .insertInto('processes_seen')
    .values({ id, kind, pid, host, standing: said })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt: clock, standing: said }))
    .execute();
  await db(em).deleteFrom('processes_seen').where('seenAt', '<', ago(1, 'days')).execute();
}

/** A process that ends tidily says so. */
export async function forgetProcess(em: EntityManager, id: string): Promise<void> {
  await db(em).deleteFrom('processes_seen').where('id', '=', id).execute();
}

export function processesAlive(em: EntityManager, kind: SeenProcess['kind']): Promise<SeenProcess[]> {
  return alive(em).where('kind', '=', kind).select(['id', 'kind', 'pid', 'host']).execute();
}

/** With what each says of itself. */
export function standingsAlive(em: EntityManager): Promise<SeenStanding[]> {
  return alive(em)
    .select(({ ref }) => ['kind', 'pid', 'host', 'standing', epochMs(ref('seenAt')).as('seenAtMs')])
    .execute();
}

const alive = (em: EntityManager) =>
  db(em)
    .selectFrom('processes_seen')
    .where('seenAt', '>', ago(PROCESS_ALIVE_SECONDS, 'seconds'))
    .orderBy('startedAt')
    .orderBy('id');
