import { sql } from 'kysely';
import type { Epoch } from '../../domain/runs/attempt.ts';
import type { RunSummary } from '../../domain/runs/cell.ts';
import type { AttemptRecord, CellRecord, RunRecord } from '../../domain/runs/document.ts';
import { toNumber } from '../convert.ts';
import type { EntityManager } from '../database.ts';

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
  const db = em.getKysely();
  const { rows: runs } = await sql<RunRecord['run']>`
    select r.id as "runId", r.agent_id as "agentId", r.status, r.message, r.kind, r.trigger, r.version,
      a.provider as platform, r.config_hash as "configHash", r.shadow_agent_id as "shadowAgentId"
    from runs r join agents a on a.id = r.agent_id where r.id = ${runId}
  `.execute(db);
  const [run] = runs;
  if (!run) return null;
  const { rows: cells } = await sql<Omit<CellRecord, 'attempts'>>`
    select test_id as "testId", test_revision as "testRevision", source, persona, lane, expect, guard, gates,
      gate_reason as "gateReason", runnable, result, k, n, reason
    from run_cells where run_id = ${runId} order by position
  `.execute(db);
  const attempts = await attemptsByCell(em, runId);
  return { run, cells: cells.map((cell) => ({ ...cell, attempts: attempts.get(cellOf(cell)) ?? [] })) };
}

const cellOf = ({ testId, persona }: { testId: string; persona: string }) => `${testId} ${persona}`;

async function attemptsByCell(em: EntityManager, runId: string): Promise<Map<string, AttemptRecord[]>> {
  const { rows } = await sql<AttemptRecord & { testId: string; persona: string }>`
    select test_id as "testId", persona, id as "attemptId", attempt, score, no_fixture as "noFixture",
      provider_grader_status as "graderStatus", provider_grader_explanation as "graderExplanation",
      platform_nano_usd as "platformNanoUsd", service_nano_usd as "serviceNanoUsd"
    from attempts where run_id = ${runId} order by test_id, persona, attempt
  `.execute(em.getKysely());
  const byCell = new Map<string, AttemptRecord[]>();
  for (const { testId, persona, ...row } of rows) {
    const cell = cellOf({ testId, persona });
    const of = byCell.get(cell) ?? [];
    of.push({
      ...row,
      platformNanoUsd: toNumber(row.platformNanoUsd),
      serviceNanoUsd: toNumber(row.serviceNanoUsd),
    });
    byCell.set(cell, of);
  }
  return byCell;
}

/** Attempts of a run that its n-th rescore left as they were. */
export async function countNotRescored(em: EntityManager, runId: string, nth: number): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from attempts
    where run_id = ${runId} and state = 'scored' and (score ->> 'nth')::int < ${nth}
  `.execute(em.getKysely());
  return toNumber(rows[0]?.count ?? 0);
}

/** The document in force: the run's own, or that of its latest rescore. */
export async function documentInForce(em: EntityManager, runId: string): Promise<StoredRunDocument | null> {
  const { rows } = await sql<StoredRunDocument>`
    select run_id as "runId", score, epoch, body, sha256 from run_documents
    where run_id = ${runId} order by score desc limit 1
  `.execute(em.getKysely());
  return rows[0] ?? null;
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
  const isOfEpoch = epoch === null ? sql`true` : sql`d.epoch = ${JSON.stringify(epoch)}::jsonb`;
  const { rows } = await sql<StoredRunDocument>`
    select d.run_id as "runId", d.score, d.epoch, d.body, d.sha256
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
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Puts a document into force, and its figures and message into the run's row. The same document twice is one. */
export async function keepDocument(
  em: EntityManager,
  of: { workspaceId: string; agentId: string },
  document: StoredRunDocument & { comparedToId: string | null; summary: RunSummary; message: string | null },
): Promise<void> {
  const { runId, score, comparedToId, body, sha256 } = document;
  const epoch = JSON.stringify(document.epoch);
  await sql`
    with kept as (
      insert into run_documents (run_id, score, workspace_id, agent_id, epoch, compared_to_id, body, sha256)
      values (${runId}, ${score}, ${of.workspaceId}, ${of.agentId}, ${epoch}::jsonb, ${comparedToId}, ${body}, ${sha256})
      on conflict (run_id, score) do update set epoch = excluded.epoch, compared_to_id = excluded.compared_to_id,
        body = excluded.body, sha256 = excluded.sha256
    )
    update runs set summary = ${JSON.stringify(document.summary)}::jsonb, epoch = ${epoch}::jsonb,
      message = ${document.message}, updated_at = clock_timestamp()
    where id = ${runId}
  `.execute(em.getKysely());
}
