import type { PlayedCell } from '../../domain/goals/progress.ts';
import type { RunStatus } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Runs of a goal that are read for its progress, newest first; nobody compares with older ones. */
const RUNS_AT_MOST = 100;

export interface GoalRun {
  id: string;
  status: RunStatus;
  version: number;
  finishedAt: string | null;
}

/** Newest first. */
export function runsOfGoal(em: EntityManager, goalId: string): Promise<GoalRun[]> {
  return db(em)
    .selectFrom('runs')
    .where('goalId', '=', goalId)
    .select(['id', 'status', 'version', 'finishedAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(RUNS_AT_MOST)
    .execute();
}

/** Cells of complete runs of a goal, oldest run first. */
export function playedCells(em: EntityManager, runs: readonly GoalRun[]): Promise<PlayedCell[]> {
  const complete = runs.filter(({ status }) => status === 'complete').map(({ id }) => id);
  if (complete.length === 0) return Promise.resolve([]);
  return db(em)
    .selectFrom('run_cells as c')
    .innerJoin('runs as r', 'r.id', 'c.runId')
    .where('c.runId', 'in', complete)
    .where('c.result', 'is not', null)
    .select(['c.runId', 'r.version', 'r.epoch', 'c.testId', 'c.testRevision', 'c.expect', 'c.persona', 'c.n'])
    .select('c.result')
    .$narrowType<{ result: PlayedCell['result'] }>()
    .orderBy('r.createdAt')
    .orderBy('r.id')
    .orderBy('c.position')
    .execute();
}
