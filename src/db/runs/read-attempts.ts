import { sql } from 'kysely';
import type { AttemptScore } from '../../domain/runs/attempt.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

/** An attempt without its words. */
export type AttemptView = Pick<Row<'attempts'>, (typeof COLUMNS)[number]> & {
  score: Pick<AttemptScore, 'reason' | 'epoch'> | null;
};

const COLUMNS = [
  'id',
  'runId',
  'testId',
  'testRevision',
  'persona',
  'attempt',
  'version',
  'result',
  'trouble',
  'noFixture',
  'providerGraderStatus',
  'providerGraderExplanation',
  'platformNanoUsd',
  'serviceNanoUsd',
  'rescoredAt',
  'startedAt',
  'finishedAt',
] as const;

const score = sql<AttemptView['score']>`
  case when score is not null then jsonb_build_object('reason', score -> 'reason', 'epoch', score -> 'epoch') end`;

const inScope = (em: EntityManager, scope: ReadScope) =>
  db(em).selectFrom('attempts').where('agentId', '=', anyAgent(scope)).select(COLUMNS).select(score.as('score'));

export async function findAttempt(em: EntityManager, scope: ReadScope, attemptId: string): Promise<AttemptView | null> {
  return (await inScope(em, scope).where('id', '=', attemptId).executeTakeFirst()) ?? null;
}

/** In the order in which they began. Null: of every run of the agent. */
export function listAttempts(
  em: EntityManager,
  scope: ReadScope,
  runId: string | null,
  { after, limit }: { after: readonly [id: string] | null; limit: number },
): Promise<AttemptView[]> {
  let attempts = inScope(em, scope);
  if (runId !== null) attempts = attempts.where('runId', '=', runId);
  if (after !== null) attempts = attempts.where('id', '>', after[0]);
  return attempts
    .orderBy('id')
    .limit(limit + 1)
    .execute();
}
