import { sql } from 'kysely';
import type { CellOutcome } from '../../domain/runs/cell.ts';
import { type AttemptKey, CELLS_OF_A_CHILD, type CellKey, type CellToPlay } from '../../durable/run.ts';
import type { EntityManager } from '../database.ts';

/** Numbers of the parts of a run, of `CELLS_OF_A_CHILD` positions each, that hold cells without a result. */
export async function partsToPlay(em: EntityManager, runId: string): Promise<number[]> {
  const { rows } = await sql<{ part: number }>`
    select distinct position / ${sql.lit(CELLS_OF_A_CHILD)} as part from run_cells
    where run_id = ${runId} and runnable and result is null order by part
  `.execute(em.getKysely());
  return rows.map(({ part }) => part);
}

/** In the order of the run. @param to the first position that is not asked for */
export async function cellsToPlay(em: EntityManager, runId: string, from: number, to: number): Promise<CellToPlay[]> {
  const { rows } = await sql<CellToPlay>`
    select test_id as "testId", persona, first_attempt as "firstAttempt" from run_cells
    where run_id = ${runId} and position >= ${from} and position < ${to} and runnable and result is null
    order by position
  `.execute(em.getKysely());
  return rows;
}

/**
 * Gives a cell its result, once, and counts it. The run is held before its cell, as the run's end does: else each could
 * wait for the other. @returns false where it had one.
 */
export async function endCell(
  em: EntityManager,
  runId: string,
  { testId, persona }: CellKey,
  outcome: CellOutcome,
): Promise<boolean> {
  const { rows } = await sql`
    with run as materialized (select id from runs where id = ${runId} for no key update),
      ended as (
        update run_cells set result = ${outcome.result}, k = ${outcome.k}, n = ${outcome.n}, reason = ${outcome.reason}
        from run where run_id = run.id and test_id = ${testId} and persona = ${persona} and result is null returning 1
      )
    update runs set cells_done = cells_done + 1, updated_at = clock_timestamp()
    from run where runs.id = run.id and exists (select 1 from ended) returning 1
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** Cells that were not played are not run; those whose second try did not come about are errors as before. */
export async function closeCells(em: EntityManager, runId: string): Promise<void> {
  await sql`
    with closed as (
      update run_cells set result = case when first_attempt > 1 then 'error' else 'not_run' end,
        reason = case when first_attempt > 1 then 'It ended in an error and was not tried again.' else reason end
      where run_id = ${runId} and result is null returning result
    )
    update runs set cells_done = cells_done + (select count(*)::int from closed where result = 'error') where id = ${runId}
  `.execute(em.getKysely());
}

/** Of a run that failed no cell counts: its attempts can be read, and say what they came to. */
export async function voidCells(em: EntityManager, runId: string): Promise<void> {
  await sql`
    update run_cells set result = 'not_run', k = 0, n = 0, reason = 'The run failed.' where run_id = ${runId}
  `.execute(em.getKysely());
}

/** Attempts of a run that can be scored again, in the order in which they began. */
export async function attemptsToRescore(
  em: EntityManager,
  runId: string,
  afterId: string | null,
  limit: number,
): Promise<(AttemptKey & { id: string })[]> {
  const { rows } = await sql<AttemptKey & { id: string }>`
    select id, workspace_id as "workspaceId", agent_id as "agentId", run_id as "runId", test_id as "testId", persona,
      attempt
    from attempts where run_id = ${runId} and state = 'scored' ${afterId === null ? sql`` : sql`and id > ${afterId}::uuid`}
    order by id limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
