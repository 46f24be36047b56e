import { sql } from 'kysely';
import type { RunDecision } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';

export interface Decision {
  decision: RunDecision;
  reason: string | null;
  mode: 'all' | 'covered' | null;
  personId: string;
  message: string;
}

/**
 * A person's decision, if nobody was first. A run that is approved can be cancelled later; nothing else follows another
 * decision. @returns false for the one who came second, and for a run that waits for no such decision.
 */
export async function decideRun(em: EntityManager, runId: string, made: Decision): Promise<boolean> {
  const open =
    made.decision === 'cancelled'
      ? sql`status in ('queued', 'awaiting_approval', 'running') and (decision is null or decision = 'approved')`
      : sql`status = 'awaiting_approval' and decision is null`;
  const { rows } = await sql`
    update runs set decision = ${made.decision}, decision_reason = ${made.reason}, message = ${made.message},
      approval_mode = coalesce(${made.mode}, approval_mode), decided_by = ${made.personId},
      decided_at = clock_timestamp(), updated_at = clock_timestamp(),
      approved_at = case when ${made.decision} = 'approved' then clock_timestamp() else approved_at end
    where id = ${runId} and ${open} returning id
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** One rescore at a time. @returns which one it is, or null while another goes on or the run has no result. */
export async function beginRescore(em: EntityManager, runId: string, message: string): Promise<number | null> {
  const { rows } = await sql<{ rescores: number }>`
    update runs set rescoring = true, rescores = rescores + 1, message = ${message}, updated_at = clock_timestamp()
    where id = ${runId} and status = 'complete' and not rescoring returning rescores
  `.execute(em.getKysely());
  return rows[0]?.rescores ?? null;
}

export async function endRescore(em: EntityManager, runId: string, nth: number, message: string): Promise<boolean> {
  const { rows } = await sql`
    update runs set rescoring = false, message = ${message}, updated_at = clock_timestamp()
    where id = ${runId} and rescoring and rescores = ${nth} returning id
  `.execute(em.getKysely());
  return rows.length > 0;
}

/**
 * Opens a complete run again for the cells that ended in an error: their next attempts follow those that they had, all
 * other cells stay as they are. @returns which second try it is, and of how many cells; null where none is to be tried.
 */
export async function reopenErrors(em: EntityManager, runId: string): Promise<{ retry: number; cells: number } | null> {
  const db = em.getKysely();
  const { rows: opened } = await sql<{ retries: number }>`
    update runs set status = 'queued', retries = retries + 1, decision = null, decision_reason = null,
      approval_mode = null, finished_at = null, updated_at = clock_timestamp()
    where id = ${runId} and status = 'complete' and not rescoring
      and exists (select 1 from run_cells where run_id = ${runId} and runnable and result = 'error') returning retries
  `.execute(db);
  const retry = opened[0]?.retries;
  if (retry === undefined) return null;
  const { rows: cells } = await sql`
    update run_cells c set result = null, k = 0, n = 0, reason = null, first_attempt = 1 + (
      select coalesce(max(a.attempt), 0) from attempts a
      where a.run_id = c.run_id and a.test_id = c.test_id and a.persona = c.persona)
    where run_id = ${runId} and runnable and result = 'error' returning 1
  `.execute(db);
  await sql`update runs set cells_done = cells_done - ${cells.length} where id = ${runId}`.execute(db);
  return { retry, cells: cells.length };
}
