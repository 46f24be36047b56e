import { sql } from 'kysely';
import type { CellOutcome } from '../../domain/runs/cell.ts';
import { type AttemptKey, CELLS_OF_A_CHILD, type CellKey, type CellToPlay } from '../../temporal/run-tests.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { executePlanned } from '../planned.ts';

/** Numbers of the parts of a run, of `CELLS_OF_A_CHILD` positions each, that hold cells without a result. */
export async function partsToPlay(em: EntityManager, runId: string): Promise<number[]> {
  const rows = await unplayed(em, runId)
    .select((eb) => eb('position', '/', eb.lit(CELLS_OF_A_CHILD)).as('part'))
    .distinct()
    .orderBy('part')
    .execute();
  return rows.map((row) => row.part);
}

const unplayed = (em: EntityManager, runId: string) =>
  db(em).selectFrom('run_cells').where('runId', '=', runId).where('runnable', '=', true).where('result', 'is', null);

/** In the order of the run. @param to the first position that is not asked for */
export function cellsToPlay(em: EntityManager, runId: string, from: number, to: number): Promise<CellToPlay[]> {
  return unplayed(em, runId)
    .where('position', '>=', from)
    .where('position', '<', to)
    .select(['testId', 'persona', 'firstAttempt'])
    .orderBy('position')
    .execute();
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
  const ended = sql`
    with run as materialized (select id from runs where id = ${runId} for no key update),
      ended as (
        update run_cells set result = ${outcome.result}, k = ${outcome.k}, n = ${outcome.n}, reason = ${outcome.reason}
        from run where run_id = run.id and test_id = ${testId} and persona = ${persona} and result is null returning 1
      )
    update runs set cells_done = cells_done + 1, updated_at = clock_timestamp()
    from run where runs.id = run.id and exists (select 1 from ended) returning 1
  `;
  return (await executePlanned(em, ended)).rows.length > 0;
}

/**
 * Cells that were not played are not run; those whose second try did not come about are errors as before.
 * @param why the run ended before they were; a rescore changes the words of the run, and these stay.
 */
export async function closeCells(em: EntityManager, runId: string, why: string | null): Promise<void> {
  await sql`
    with closed as (
      update run_cells set result = case when first_attempt > 1 then 'error' else 'not_run' end,
        reason = case when first_attempt > 1 then 'It ended in an error and was not tried again.'
          when runnable then coalesce(reason, ${why}) else reason end
      where run_id = ${runId} and result is null returning result
    )
    update runs set cells_done = cells_done + (select count(*)::int from closed where result = 'error') where id = ${runId}
  `.execute(db(em));
}

/** Of a run that failed no cell counts: its attempts can be read, and say what they came to. */
export async function voidCells(em: EntityManager, runId: string): Promise<void> {
  await db(em)
    .updateTable('run_cells')
    .where('runId', '=', runId)
    .set({ result: 'not_run', k: 0, n: 0, reason: 'The run failed.' })
    .execute();
}

/** Attempts of a run that can be scored again, in the order in which they began. */
export function attemptsToRescore(
  em: EntityManager,
  runId: string,
  afterId: string | null,
  limit: number,
): Promise<(AttemptKey & { id: string })[]> {
  let attempts = db(em).selectFrom('attempts').where('runId', '=', runId).where('state', '=', 'scored');
  if (afterId !== null) attempts = attempts.where('id', '>', afterId);
  const key = ['id', 'workspaceId', 'agentId', 'runId', 'testId', 'persona', 'attempt'] as const;
  return attempts.select(key).orderBy('id').limit(limit).execute();
}
