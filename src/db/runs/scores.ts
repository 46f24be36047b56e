import type { AttemptScore } from '../../domain/runs/attempt.ts';
import type { CellOutcome } from '../../domain/runs/cell.ts';
import { nextOfCell } from '../../domain/runs/combine.ts';
import { type JudgedAttempt, noiseInWords, noiseShares } from '../../domain/runs/noise.ts';
import type { AttemptResult, RunKind, TestExpectation } from '../../domain/vocabulary.ts';
import type { AttemptKey } from '../../temporal/run-tests.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { publishRunProgress } from '../events/events.ts';
import { clock, json, lockFor } from '../expressions.ts';
import { findPlanned, queryPlanned } from '../planned.ts';
import { together } from '../together.ts';
import { type EndOfPlaying, endPlaying, loadPlayed, type Owned } from './attempts.ts';
import { endCell } from './run-cells.ts';

/** What scoring needs to know of the cell and its run. */
export interface CellTerms {
  expect: TestExpectation;
  kind: RunKind;
  repeats: number | null;
  /** Attempts before it were errors that were tried again. */
  firstAttempt: number;
  /** The record's clock, ISO 8601. */
  now: string;
}

export interface Standing {
  result: AttemptResult;
  cell: 'done' | 'another';
}

/** @returns null where the run has no such cell. */
export function loadCellTerms(em: EntityManager, key: AttemptKey): Promise<CellTerms | null> {
  const terms = db(em)
    .selectFrom('run_cells as c')
    .innerJoin('runs as r', 'r.id', 'c.runId')
    .where('c.runId', '=', key.runId)
    .where('c.testId', '=', key.testId)
    .where('c.persona', '=', key.persona)
    .select(['c.expect', 'r.kind', 'r.repeats', 'c.firstAttempt', clock.as('now')]);
  return findPlanned(em, terms);
}

/**
 * Keeps the first score of an attempt and decides what it means for its cell, in one transaction: a score that is there
 * already stays, and the cell is counted once.
 */
export async function keepScore(
  em: EntityManager,
  key: AttemptKey,
  score: AttemptScore,
  serviceNanoUsd: number,
): Promise<Standing> {
  return em.transactional(async (tx) => {
    await holdCell(tx, key);
    await putFirst(tx, key, score, serviceNanoUsd);
    return settleAndTell(tx, key);
  });
}

export interface PlayedAndScored {
  key: AttemptKey;
  owned: Pick<Owned, 'attemptId' | 'player'>;
  end: EndOfPlaying;
  /** It asked nobody. */
  score: AttemptScore;
}

/**
 * Ends an attempt and keeps its first score in one transaction, which calls that end at the same time share: each waits
 * for the row of its run, so that one after the other they would wait for each other's commits.
 * @throws TakenOverError as `endPlaying`
 */
export const endAndScore = together(async (em, items: readonly PlayedAndScored[]): Promise<Standing[]> => {
  // In one order, all cells before any run, and the news of all after that: nobody waits for whoever waits for them.
  const inOrder = items.toSorted((a, b) => (cellLock(a.key) < cellLock(b.key) ? -1 : 1));
  const settled = await em.transactional(async (tx) => {
    for (const { key } of inOrder) await holdCell(tx, key);
    for (const { key, owned, end, score } of inOrder) {
      await endPlaying(tx, owned, end);
      await putFirst(tx, key, score, 0);
    }
    const standings = new Map<PlayedAndScored, Settled>();
    for (const item of inOrder) standings.set(item, await settleCell(tx, item.key));
    const moved = inOrder.filter((item) => standings.get(item)?.isMoved).map(({ key }) => [key.runId, key] as const);
    for (const { agentId, runId } of new Map(moved).values()) await publishRunProgress(tx, agentId, runId);
    return standings;
  });
  return items.flatMap((item) => settled.get(item)?.standing ?? []);
});

/** What an attempt that was scored before means for its cell. @throws where it was not. */
export async function standingOf(em: EntityManager, key: AttemptKey): Promise<Standing> {
  return em.transactional(async (tx) => {
    await holdCell(tx, key);
    return settleAndTell(tx, key);
  });
}

/**
 * Scores of one cell come one after the other, so that each sees those before it. The run's row is held for its count
 * alone, by `endCell`: held from here on, it would let a run be scored no faster than one attempt after the other.
 */
const holdCell = (tx: EntityManager, key: AttemptKey): Promise<void> => lockFor(tx, cellLock(key));

/** Of all who score an attempt of the cell, whether for the first time or again. */
export const cellLock = ({ runId, testId, persona }: Pick<AttemptKey, 'runId' | 'testId' | 'persona'>) =>
  `cell ${runId} ${testId} ${persona}`;

async function putFirst(tx: EntityManager, key: AttemptKey, score: AttemptScore, nanoUsd: number): Promise<void> {
  const put = db(tx)
    .updateTable('attempts')
    .where('runId', '=', key.runId)
    .where('testId', '=', key.testId)
    .where('persona', '=', key.persona)
    .where('attempt', '=', key.attempt)
    .where('state', '=', 'played')
    .set((eb) => ({
      state: 'scored',
      score: json(storable(score)),
      result: score.result,
      serviceNanoUsd: eb('serviceNanoUsd', '+', nanoUsd),
      finishedAt: eb.fn.coalesce('finishedAt', clock),
    }));
  await queryPlanned(tx, put);
}

export interface ScoredAttempt {
  attempt: number;
  result: AttemptResult;
  score: AttemptScore;
}

interface Settled {
  standing: Standing;
  /** The run has a result more. */
  isMoved: boolean;
}

/** The news comes last, because it keeps others of the workspace waiting until this transaction ends. */
async function settleAndTell(tx: EntityManager, key: AttemptKey): Promise<Standing> {
  const { standing, isMoved } = await settleCell(tx, key);
  if (isMoved) await publishRunProgress(tx, key.agentId, key.runId);
  return standing;
}

async function settleCell(tx: EntityManager, key: AttemptKey): Promise<Settled> {
  const terms = await loadCellTerms(tx, key);
  if (terms === null) throw new Error('The run has no such cell any more.');
  const scored = db(tx)
    .selectFrom('attempts')
    .where('runId', '=', key.runId)
    .where('testId', '=', key.testId)
    .where('persona', '=', key.persona)
    .where('state', '=', 'scored')
    .select(['attempt', 'result', 'score'])
    .$narrowType<ScoredAttempt>()
    .orderBy('attempt');
  const { rows } = await queryPlanned(tx, scored);
  const own = rows.find(({ attempt }) => attempt === key.attempt);
  if (own === undefined) throw new Error('The attempt has no score: it was not played to its end.');
  const counted = rows.filter(({ attempt }) => attempt >= terms.firstAttempt);
  const results = counted.map(({ result }) => result);
  const next = nextOfCell({ kind: terms.kind, repeats: terms.repeats, results });
  if (next.next === 'another') return { standing: { result: own.result, cell: 'another' }, isMoved: false };
  const isMoved = await endCell(tx, key.runId, key, await explained(tx, key, counted, next.outcome));
  return { standing: { result: own.result, cell: 'done' }, isMoved };
}

/** With the reason of the last attempt that ended so; of a flaky cell, with who made the difference. */
export async function explained(
  tx: EntityManager,
  key: Omit<AttemptKey, 'attempt'>,
  attempts: readonly ScoredAttempt[],
  outcome: CellOutcome,
): Promise<CellOutcome> {
  if (outcome.result !== 'flaky') {
    const last = attempts.findLast(({ result }) => result === outcome.result);
    return { ...outcome, reason: outcome.reason ?? last?.score.reason ?? null };
  }
  const judged: JudgedAttempt[] = [];
  for (const { attempt, result, score } of attempts) {
    const stored = await loadPlayed(tx, { ...key, attempt });
    if (stored) judged.push({ result, played: stored.played, verdicts: score.verdicts });
  }
  const { k, n } = outcome;
  return { ...outcome, reason: `${k} of ${n} passed; ${noiseInWords(noiseShares(judged))}.` };
}
