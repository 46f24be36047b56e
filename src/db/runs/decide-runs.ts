import type { ExpressionBuilder } from 'kysely';
import type { RunDecision } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { clock } from '../expressions.ts';
import type { Tables } from '../tables.ts';

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
  const { decision, reason, mode, personId, message } = made;
  let run = db(em).updateTable('runs').where('id', '=', runId);
  if (decision === 'cancelled') {
    run = run
      .where('status', 'in', ['queued', 'awaiting_approval', 'running'])
      .where((eb) => eb.or([eb('decision', 'is', null), eb('decision', '=', 'approved')]));
  } else run = run.where('status', '=', 'awaiting_approval').where('decision', 'is', null);
  const decided = await run
    .set({
      decision,
      decisionReason: reason,
      message,
      approvalMode: mode ?? undefined,
      decidedBy: personId,
      decidedAt: clock,
      updatedAt: clock,
      approvedAt: decision === 'approved' ? clock : undefined,
    })
    .returning('id')
    .executeTakeFirst();
  return decided !== undefined;
}

/** One rescore at a time. @returns which one it is, or null while another goes on or the run has no result. */
export async function beginRescore(em: EntityManager, runId: string, message: string): Promise<number | null> {
  const begun = await db(em)
    .updateTable('runs')
    .where('id', '=', runId)
    .where('status', '=', 'complete')
    .where('rescoring', '=', false)
    .set((eb) => ({ rescoring: true, rescores: eb('rescores', '+', 1), message, updatedAt: clock }))
    .returning('rescores')
    .executeTakeFirst();
  return begun?.rescores ?? null;
}

export async function endRescore(em: EntityManager, runId: string, nth: number, message: string): Promise<boolean> {
  const ended = await db(em)
    .updateTable('runs')
    .where('id', '=', runId)
    .where('rescoring', '=', true)
    .where('rescores', '=', nth)
    .set({ rescoring: false, message, updatedAt: clock })
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/**
 * Opens a complete run again for the cells that ended in an error: their next attempts follow those that they had, all
 * other cells stay as they are. @returns which second try it is, and of how many cells; null where none is to be tried.
 */
export async function reopenErrors(em: EntityManager, runId: string): Promise<{ retry: number; cells: number } | null> {
  const opened = await db(em)
    .updateTable('runs')
    .where('id', '=', runId)
    .where('status', '=', 'complete')
    .where('rescoring', '=', false)
    .where((eb) => eb.exists(eb.selectFrom('run_cells').where(endedInError(runId)).select('testId')))
    .set((eb) => ({ status: 'queued', retries: eb('retries', '+', 1), updatedAt: clock }))
    .set({ decision: null, decisionReason: null, approvalMode: null, finishedAt: null })
    .returning('retries')
    .executeTakeFirst();
  if (!opened) return null;
  const cells = await db(em)
    .updateTable('run_cells')
    .where(endedInError(runId))
    .set((eb) => ({ result: null, k: 0, n: 0, reason: null, firstAttempt: eb(attemptsMade(eb), '+', 1) }))
    .returning('testId')
    .execute();
  await db(em)
    .updateTable('runs')
    .where('id', '=', runId)
    .set((eb) => ({ cellsDone: eb('cellsDone', '-', cells.length) }))
    .execute();
  return { retry: opened.retries, cells: cells.length };
}

const endedInError = (runId: string) => (eb: ExpressionBuilder<Tables, 'run_cells'>) =>
  eb.and({ runId, runnable: true, result: 'error' });

const attemptsMade = (eb: ExpressionBuilder<Tables, 'run_cells'>) =>
  eb
    .selectFrom('attempts as a')
    .whereRef('a.runId', '=', 'run_cells.runId')
    .whereRef('a.testId', '=', 'run_cells.testId')
    .whereRef('a.persona', '=', 'run_cells.persona')
    .select((of) => of.fn.coalesce(of.fn.max('a.attempt'), of.lit(0)).as('attempts'))
    .$asScalar()
    .$notNull();
