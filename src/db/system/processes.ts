import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';

export interface SeenProcess {
  id: string;
  kind: 'api' | 'worker';
  pid: number;
  host: string;
}

/** How long after its last sign of life a process still counts as there: three missed beats. */
export const PROCESS_ALIVE_SECONDS = 16;

/** A sign of life; the first one makes the row, and rows of processes that died a day ago go. */
export async function seeProcess(em: EntityManager, process: SeenProcess): Promise<void> {
  await sql`
    insert into processes_seen (id, kind, pid, host) values (${process.id}, ${process.kind}, ${process.pid}, ${process.host})
    on conflict (id) do update set seen_at = now()
  `.execute(em.getKysely());
  await sql`delete from processes_seen where seen_at < now() - interval '1 day'`.execute(em.getKysely());
}

/** A process that ends tidily says so. */
export async function forgetProcess(em: EntityManager, id: string): Promise<void> {
  await sql`delete from processes_seen where id = ${id}`.execute(em.getKysely());
}

export async function processesAlive(em: EntityManager, kind: SeenProcess['kind']): Promise<SeenProcess[]> {
  const { rows } = await sql<SeenProcess>`
    select id, kind, pid, host from processes_seen
    where kind = ${kind} and seen_at > now() - ${`${PROCESS_ALIVE_SECONDS} seconds`}::interval order by started_at, id
  `.execute(em.getKysely());
  return rows;
}
