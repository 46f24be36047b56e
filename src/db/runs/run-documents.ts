import { type RawBuilder, sql } from 'kysely';
import type { Epoch } from '../../domain/runs/attempt.ts';
import type { RunSummary } from '../../domain/runs/cell.ts';
import { ATTEMPTS_ALONE, type CellHistory, type EarlierResult } from '../../domain/runs/compare.ts';
import { epochOfAll, NOTHING_SCORED } from '../../domain/runs/epoch.ts';
import type { AttemptRecord, RunRecord } from '../../domain/runs/result-document.ts';
import { shownTrigger } from '../../domain/runs/shown-trigger.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { clock, json } from '../expressions.ts';
import { findPlanned } from '../planned.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { RunView } from './runs.ts';

export interface StoredRunDocument {
  runId: string;
  /** 0: the run's own; n: of its n-th rescore. */
  score: number;
  epoch: Epoch;
  body: string;
  sha256: string;
}

/** The rows behind a run's document, in three statements however many cells it has. @returns null where there is no such run. */
export async function loadRunRecord(em: EntityManager, runId: string): Promise<RunRecord | null> {
  const run = await db(em)
    .selectFrom('runs as r')
    .innerJoin('agents as a', 'a.id', 'r.agentId')
    .where('r.id', '=', runId)
    .select(['r.id as runId', 'r.agentId', 'r.status', 'r.message', 'r.kind', 'r.trigger', 'r.createdBy', 'r.version'])
    .select(['a.provider as platform', 'r.configHash', 'r.shadowAgentId'])
    .executeTakeFirst();
  if (!run) return null;
  const cells = await db(em)
    .selectFrom('run_cells')
    .where('runId', '=', runId)
    .select(['testId', 'testRevision', 'source', 'persona', 'lane', 'expect', 'guard', 'gates', 'gateReason'])
    .select(['runnable', 'result', 'k', 'n', 'reason'])
    .orderBy('position')
    .execute();
  const attempts = await attemptsByCell(em, runId);
  const { createdBy, trigger, ...shown } = run;
  return {
    run: { ...shown, trigger: shownTrigger({ createdBy, trigger }) },
    cells: cells.map((cell) => ({ ...cell, attempts: attempts.get(cellOf(cell)) ?? [] })),
  };
}

const cellOf = ({ testId, persona }: { testId: string; persona: string }) => `${testId} ${persona}`;

async function attemptsByCell(em: EntityManager, runId: string): Promise<Map<string, AttemptRecord[]>> {
  const rows = await db(em)
    .selectFrom('attempts')
    .where('runId', '=', runId)
    .select(['testId', 'persona', 'id as attemptId', 'attempt', 'score', 'noFixture', 'platformNanoUsd'])
    .select(['providerGraderStatus as graderStatus', 'providerGraderExplanation as graderExplanation'])
    .select('serviceNanoUsd')
    .orderBy('testId')
    .orderBy('persona')
    .orderBy('attempt')
    .execute();
  const byCell = new Map<string, AttemptRecord[]>();
  for (const { testId, persona, ...row } of rows) {
    const cell = cellOf({ testId, persona });
    byCell.set(cell, [...(byCell.get(cell) ?? []), row]);
  }
  return byCell;
}

/** Attempts of a run that its n-th rescore left as they were. */
export async function countNotRescored(em: EntityManager, runId: string, nth: number): Promise<number> {
  const { attempts } = await db(em)
    .selectFrom('attempts')
    .where('runId', '=', runId)
    .where('state', '=', 'scored')
    .where((eb) => eb(eb.cast<number>(eb.ref('score', '->>').key('nth'), 'integer'), '<', nth))
    .select((eb) => eb.fn.countAll<number>().as('attempts'))
    .executeTakeFirstOrThrow();
  return attempts;
}

/** A run as whoever asks for its result needs it. */
export interface RunResult extends Pick<RunView, 'id' | 'status' | 'message' | 'finishedAt'> {
  /** Of the run or of its latest rescore; null: there is none yet, or it could not be written. */
  document: Pick<StoredRunDocument, 'score' | 'body' | 'sha256'> | null;
}

/** A run with the document in force, as it is stored: one statement that each connection plans once. */
export async function findRunResult(em: EntityManager, scope: ReadScope, runId: string): Promise<RunResult | null> {
  const found = await findPlanned(
    em,
    db(em)
      .selectFrom('runs as r')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('run_documents')
            .whereRef('runId', '=', 'r.id')
            .select(['score', 'body', 'sha256'])
            .orderBy('score', 'desc')
            .limit(1)
            .as('d'),
        (join) => join.onTrue(),
      )
      .where('r.id', '=', runId)
      .where('r.agentId', '=', anyAgent(scope))
      .select(['r.id', 'r.status', 'r.message', 'r.finishedAt', 'd.score', 'd.body', 'd.sha256']),
  );
  if (found === null) return null;
  const { score, body, sha256, ...run } = found;
  return { ...run, document: score === null || body === null || sha256 === null ? null : { score, body, sha256 } };
}

/**
 * What each cell of the run came to before, in complete runs of the agent that played tests by callers too: the last
 * verdict on the same question by the same scorers, and the last of any. Cells without a verdict, calibrations, and cells
 * that were never played before are left out.
 */
export async function earlierResults(em: EntityManager, runId: string): Promise<CellHistory[]> {
  const judged = sql`('passed', 'failed', 'flaky')`;
  const epochsOf = (cell: string) => sql`(
    select jsonb_agg(distinct a.score -> 'epoch' order by a.score -> 'epoch') from attempts a
    where a.run_id = ${sql.ref(`${cell}.run_id`)} and a.test_id = ${sql.ref(`${cell}.test_id`)}
      and a.persona = ${sql.ref(`${cell}.persona`)} and a.score ->> 'result' in ${judged}
  )`;
  const isRepeated = (cell: string) => sql`${sql.ref(`${cell}.n`)} > ${sql.lit(ATTEMPTS_ALONE)}`;
  const newest = (and: RawBuilder<unknown>) => sql`
    select r.id, r.version, r.finished_at, c.test_revision, c.expect, c.result, c.n, ${epochsOf('c')} as epochs
    from runs r join run_cells c on c.run_id = r.id and c.test_id = cell.test_id and c.persona = cell.persona
    where r.agent_id = own.agent_id and r.kind = 'run' and r.status = 'complete' and r.id <> own.id
      and r.finished_at < coalesce(own.finished_at, clock_timestamp()) and c.result in ${judged} and ${and}
    order by r.finished_at desc, r.id desc limit 1`;
  const isSameQuestion = sql`c.test_revision = cell.test_revision and c.expect = cell.expect
    and (${isRepeated('c')}) = (${isRepeated('cell')}) and ${epochsOf('c')} = now.epochs`;
  const { rows } = await sql<EarlierRow>`
    select cell.test_id, cell.persona, now.epochs as own_epochs, last.id as run_id, last.version, last.finished_at,
      last.test_revision, last.expect, last.result, last.n, last.epochs
    from runs own join run_cells cell on cell.run_id = own.id and cell.result in ${judged}
      cross join lateral (select ${epochsOf('cell')} as epochs) now
      cross join lateral ((${newest(isSameQuestion)}) union (${newest(sql.lit(true))})) last
    where own.id = ${runId} and own.kind = 'run' and now.epochs is not null and last.epochs is not null
    order by cell.position, last.finished_at desc, last.id desc
  `.execute(db(em));
  const cells = new Map<string, CellHistory & { earlier: EarlierResult[] }>();
  for (const { testId, persona, ownEpochs, runId: batchId, epochs, ...result } of rows) {
    const cell = cells.get(cellOf({ testId, persona })) ?? { testId, persona, epoch: joined(ownEpochs), earlier: [] };
    cell.earlier.push({ ...result, batchId, epoch: joined(epochs) });
    cells.set(cellOf({ testId, persona }), cell);
  }
  return [...cells.values()];
}

type EarlierRow = Pick<CellHistory, 'testId' | 'persona'> &
  Omit<EarlierResult, 'batchId' | 'epoch'> & { runId: string; ownEpochs: Epoch[]; epochs: Epoch[] };

const joined = (epochs: readonly Epoch[]): Epoch => epochOfAll(epochs) ?? NOTHING_SCORED;

/** Puts a document into force, and its figures and message into the run's row. The same document twice is one. */
export async function keepDocument(
  em: EntityManager,
  of: { workspaceId: string; agentId: string },
  document: StoredRunDocument & { comparedToId: string | null; summary: RunSummary; message: string | null },
): Promise<void> {
  const { runId, score, comparedToId, body, sha256, summary, message } = document;
  const { workspaceId, agentId } = of;
  const epoch = json(document.epoch);
  await db(em)
    .with('kept', (within) =>
      within
        .insertInto('run_documents')
        .values({ runId, score, workspaceId, agentId, epoch, comparedToId, body, sha256 })
        .onConflict((conflict) =>
          conflict.columns(['runId', 'score']).doUpdateSet(({ ref }) => ({
            epoch: ref('excluded.epoch'),
            comparedToId: ref('excluded.comparedToId'),
            body: ref('excluded.body'),
            sha256: ref('excluded.sha256'),
          })),
        ),
    )
    .updateTable('runs')
    .where('id', '=', runId)
    .set({ summary: json(summary), epoch, message, updatedAt: clock })
    .execute();
}
