import { sql } from 'kysely';
import type { AttemptScore } from '../../domain/runs/attempt.ts';
import type { CellOutcome } from '../../domain/runs/cell.ts';
import { outcomeOf } from '../../domain/runs/combine.ts';
import type { TestExpectation } from '../../domain/vocabulary.ts';
import type { AttemptKey, CellKey } from '../../temporal/run-tests.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { clock, listed } from '../expressions.ts';
import { together } from '../together.ts';
import { loadAllPlayed, type StoredAttempt } from './attempts.ts';
import { cellLock, explained, type ScoredAttempt } from './scores.ts';

export interface AttemptToRescore {
  stored: StoredAttempt;
  expect: TestExpectation;
}

export interface CellsToRescore {
  agentId: string;
  runId: string;
  /** Its position among the cells of the run. */
  from: number;
  /** The first position that is not asked for. */
  to: number;
}

/** How many cells a run has, whatever came of them. */
export async function countCells(em: EntityManager, runId: string): Promise<number> {
  const { cells } = await db(em)
    .selectFrom('run_cells')
    .where('runId', '=', runId)
    .select((eb) => eb.fn.coalesce(eb(eb.fn.max('position'), '+', 1), eb.lit(0)).as('cells'))
    .executeTakeFirstOrThrow();
  return cells;
}

/** The attempts of some cells that have a score, with the record's clock. */
export async function loadToRescore(
  em: EntityManager,
  { agentId, runId, from, to }: CellsToRescore,
): Promise<{ attempts: AttemptToRescore[]; now: string }> {
  const cells = await db(em)
    .selectFrom('run_cells')
    .where('runId', '=', runId)
    .where('position', '>=', from)
    .where('position', '<', to)
    .select(['testId', 'persona', 'expect', clock.as('now')])
    .execute();
  const [first] = cells;
  if (!first) return { attempts: [], now: '' };
  const expected = new Map(cells.map((cell) => [cellOf(cell), cell.expect]));
  const stored = await loadAllPlayed(em, agentId, (eb) =>
    eb.and([
      eb('a.runId', '=', runId),
      eb('a.state', '=', 'scored'),
      eb('a.testId', 'in', [...new Set(cells.map(({ testId }) => testId))]),
    ]),
  );
  const attempts = stored.flatMap((one) => {
    const expect = expected.get(cellOf(one));
    return expect === undefined ? [] : { stored: one, expect };
  });
  return { attempts, now: first.now };
}

const cellOf = ({ testId, persona }: CellKey) => `${testId} ${persona}`;

export interface Rescored {
  key: AttemptKey;
  attemptId: string;
  score: AttemptScore;
  serviceNanoUsd: number;
}

/**
 * Keeps the new score of an attempt with the earlier one beside it, and what its cell came to by it, in one transaction
 * for all that are kept at the same time. A score of this rescore or of a later one stays as it is.
 */
export const keepRescore = together(keepRescores);

async function keepRescores(em: EntityManager, scores: readonly Rescored[]): Promise<undefined[]> {
  await em.transactional(async (tx) => {
    const cells = [...new Map(scores.map(({ key }) => [`${key.runId} ${cellOf(key)}`, key])).values()];
    await holdCells(tx, cells);
    await putAgain(tx, scores);
    await replaceOutcomes(tx, cells);
  });
  return scores.map(() => undefined);
}

/** In one order, so that two who hold several cells never wait for each other. */
async function holdCells(tx: EntityManager, cells: readonly AttemptKey[]): Promise<void> {
  const names = cells.map(cellLock).toSorted();
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`.execute(
    db(tx),
  );
}

async function putAgain(tx: EntityManager, scores: readonly Rescored[]): Promise<void> {
  const rows = scores.map(({ attemptId, score, serviceNanoUsd }) => ({
    attemptId,
    nth: score.nth,
    result: score.result,
    score: JSON.stringify(storable(score)),
    serviceNanoUsd,
  }));
  await sql`
    update attempts a set earlier_scores = a.earlier_scores || jsonb_build_array(a.score), score = listed.score::jsonb,
      result = listed.result, service_nano_usd = a.service_nano_usd + listed.service_nano_usd,
      rescored_at = clock_timestamp()
    from ${listed(rows, { attemptId: 'uuid', nth: 'integer', result: 'text', score: 'text', serviceNanoUsd: 'bigint' })}
    where a.id = listed.attempt_id and a.state = 'scored' and (a.score ->> 'nth')::int < listed.nth
  `.execute(db(tx));
}

const CELL = { runId: 'uuid', testId: 'uuid', persona: 'text' } as const;

/** A rescore changes what a cell came to, never whether it was played. */
async function replaceOutcomes(tx: EntityManager, cells: readonly AttemptKey[]): Promise<void> {
  const counted = await countedAttempts(tx, cells);
  const outcomes: (CellKey & CellOutcome & { runId: string })[] = [];
  for (const { attempt: _, ...key } of cells) {
    const attempts = counted.filter((one) => one.runId === key.runId && cellOf(one) === cellOf(key));
    if (attempts.length === 0) continue;
    const outcome = await explained(tx, key, attempts, outcomeOf(attempts.map(({ result }) => result)));
    const { runId, testId, persona } = key;
    outcomes.push({ runId, testId, persona, ...outcome });
  }
  await db(tx)
    .updateTable('run_cells as c')
    .from(listed(outcomes, { ...CELL, result: 'text', k: 'integer', n: 'integer', reason: 'text' }))
    .whereRef('c.runId', '=', 'listed.runId')
    .whereRef('c.testId', '=', 'listed.testId')
    .whereRef('c.persona', '=', 'listed.persona')
    .where('c.result', '<>', 'not_run')
    .set(({ ref }) => ({
      result: ref('listed.result'),
      k: ref('listed.k'),
      n: ref('listed.n'),
      reason: ref('listed.reason'),
    }))
    .execute();
}

/** Attempts of these cells that count: those since errors were tried again. */
async function countedAttempts(
  tx: EntityManager,
  cells: readonly AttemptKey[],
): Promise<(CellKey & ScoredAttempt & { runId: string })[]> {
  const keys = cells.map(({ runId, testId, persona }) => ({ runId, testId, persona }));
  return db(tx)
    .selectFrom(listed(keys, CELL))
    .innerJoin('run_cells as c', (join) =>
      join
        .onRef('c.runId', '=', 'listed.runId')
        .onRef('c.testId', '=', 'listed.testId')
        .onRef('c.persona', '=', 'listed.persona'),
    )
    .innerJoin('attempts as a', (join) =>
      join
        .onRef('a.runId', '=', 'c.runId')
        .onRef('a.testId', '=', 'c.testId')
        .onRef('a.persona', '=', 'c.persona')
        .onRef('a.attempt', '>=', 'c.firstAttempt'),
    )
    .where('a.state', '=', 'scored')
    .select(['a.runId', 'a.testId', 'a.persona', 'a.attempt', 'a.result', 'a.score'])
    .$narrowType<ScoredAttempt>()
    .orderBy('a.attempt')
    .execute();
}
