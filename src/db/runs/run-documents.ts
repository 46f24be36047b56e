import { expressionBuilder, sql } from 'kysely';
import type { Epoch } from '../../domain/runs/attempt.ts';
import type { RunSummary } from '../../domain/runs/cell.ts';
import type { AttemptRecord, RunRecord } from '../../domain/runs/result-document.ts';
import { shownTrigger } from '../../domain/runs/shown-trigger.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { clock, json } from '../expressions.ts';
import { findPlanned } from '../planned.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Tables } from '../tables.ts';
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
 * The newest run before this one that can lie beside it: of the same agent, complete, no calibration, with at least one
 * cell that this one has too. @param epoch only of this epoch; null: of any.
 */
export async function previousDocument(
  em: EntityManager,
  runId: string,
  epoch: Epoch | null,
): Promise<StoredRunDocument | null> {
  const isOfEpoch =
    epoch === null
      ? sql.lit(true)
      : expressionBuilder<Tables & { d: Tables['run_documents'] }, 'd'>()('d.epoch', '=', json(epoch));
  const { rows } = await sql<StoredRunDocument>`
    select d.run_id, d.score, d.epoch, d.body, d.sha256
    from runs own
      join runs r on r.agent_id = own.agent_id and r.kind = 'run' and r.status = 'complete' and r.id <> own.id
        and r.finished_at < coalesce(own.finished_at, clock_timestamp())
      join lateral (
        select * from run_documents where run_id = r.id order by score desc limit 1
      ) d on ${isOfEpoch}
    where own.id = ${runId} and own.kind = 'run' and exists (
      select 1 from run_cells a join run_cells b on b.test_id = a.test_id and b.persona = a.persona
      where a.run_id = own.id and b.run_id = r.id
    )
    order by r.finished_at desc, r.id desc limit 1
  `.execute(db(em));
  return rows[0] ?? null;
}

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
