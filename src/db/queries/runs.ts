import { type RawBuilder, sql } from 'kysely';
import type { Epoch } from '../../domain/runs/attempt.ts';
import type { CellPlan, RunSummary } from '../../domain/runs/cell.ts';
import type { RunDecision, RunKind, RunStatus, RunTrigger } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { toNumber } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { ofAgents, type ReadScope } from './read-scope.ts';

/** A run as reads see it; times are ISO 8601, money is in billionths of a US dollar. */
export interface RunView {
  id: string;
  workspaceId: string;
  agentId: string;
  kind: RunKind;
  trigger: RunTrigger;
  status: RunStatus;
  message: string | null;
  /** What is said beside the message all along. */
  note: string | null;
  version: number;
  configHash: string | null;
  testSetId: string | null;
  testIds: string[];
  personas: string[] | null;
  repeats: number | null;
  shadowAgentId: string | null;
  cellsRequested: number;
  cellsRunnable: number;
  cellsDone: number;
  summary: RunSummary | null;
  epoch: Epoch | null;
  platformNanoUsd: number;
  serviceNanoUsd: number;
  decision: RunDecision | null;
  decisionReason: string | null;
  approvalMode: 'all' | 'covered' | null;
  decidedBy: string | null;
  approvedAt: string | null;
  waitsUntil: string | null;
  rescores: number;
  rescoring: boolean;
  retries: number;
  createdBy: string;
  apiKeyId: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

const iso = (column: string) =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const columns = sql`
  id, workspace_id as "workspaceId", agent_id as "agentId", kind, trigger, status, message, note, version,
  config_hash as "configHash", test_set_id as "testSetId", test_ids::text[] as "testIds", personas, repeats,
  shadow_agent_id as "shadowAgentId", cells_requested as "cellsRequested", cells_runnable as "cellsRunnable",
  cells_done as "cellsDone", summary, epoch, platform_nano_usd as "platformNanoUsd",
  service_nano_usd as "serviceNanoUsd", decision, decision_reason as "decisionReason",
  approval_mode as "approvalMode", decided_by as "decidedBy", ${iso('approved_at')} as "approvedAt",
  ${iso('waits_until')} as "waitsUntil", rescores, rescoring, retries, created_by as "createdBy",
  api_key_id as "apiKeyId", ${iso('started_at')} as "startedAt", ${iso('finished_at')} as "finishedAt",
  ${iso('created_at')} as "createdAt", ${iso('updated_at')} as "updatedAt"
`;

const toView = (row: RunView): RunView => ({
  ...row,
  platformNanoUsd: toNumber(row.platformNanoUsd),
  serviceNanoUsd: toNumber(row.serviceNanoUsd),
});

export async function findRun(em: EntityManager, scope: ReadScope, runId: string): Promise<RunView | null> {
  const { rows } = await sql<RunView>`
    select ${columns} from runs where id = ${runId} and ${ofAgents('agent_id', scope)}
  `.execute(em.getKysely());
  return rows[0] ? toView(rows[0]) : null;
}

/** For the work itself, which knows the workspace only. @param lock holds the row until the transaction ends. */
export async function loadRun(em: EntityManager, runId: string, lock = false): Promise<RunView | null> {
  const { rows } = await sql<RunView>`
    select ${columns} from runs where id = ${runId} ${lock ? sql`for no key update` : sql``}
  `.execute(em.getKysely());
  return rows[0] ? toView(rows[0]) : null;
}

export interface RunFilter {
  status: RunStatus | null;
  trigger: RunTrigger | null;
  version: number | null;
}

/** Newest first; the order never changes. */
export async function listRuns(
  em: EntityManager,
  scope: ReadScope,
  filter: RunFilter,
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<RunView[]> {
  const after = page.after
    ? sql`and (created_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<RunView>`
    select ${columns} from runs where ${ofAgents('agent_id', scope)} and ${matches('status', filter.status)}
      and ${matches('trigger', filter.trigger)} and ${matches('version', filter.version)} ${after}
    order by created_at desc, id desc limit ${page.limit + 1}
  `.execute(em.getKysely());
  return rows.map(toView);
}

const matches = (column: string, value: string | number | null): RawBuilder<boolean> =>
  value === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${value}`;

export interface NewRun {
  workspaceId: string;
  agentId: string;
  kind: RunKind;
  trigger: RunTrigger;
  note: string | null;
  version: number;
  configHash: string | null;
  testSetId: string | null;
  testIds: readonly string[];
  personas: readonly string[] | null;
  repeats: number | null;
  /** Estimates. */
  platformNanoUsd: number;
  serviceNanoUsd: number;
  /** A user id, `key:<id>`, or `earshot`. */
  createdBy: string;
  apiKeyId: string | null;
  cells: readonly CellPlan[];
}

/** @returns its id, or null where the version has had its automatic run. */
export async function insertRun(em: EntityManager, made: NewRun): Promise<string | null> {
  const db = em.getKysely();
  const { rows } = await sql<{ id: string }>`
    insert into runs (id, workspace_id, agent_id, kind, trigger, message, note, version, config_hash, test_set_id, test_ids,
      personas, repeats, cells_requested, cells_runnable, platform_nano_usd, service_nano_usd, created_by, api_key_id)
    values (${newId()}, ${made.workspaceId}, ${made.agentId}, ${made.kind}, ${made.trigger}, ${made.note}, ${made.note},
      ${made.version}, ${made.configHash}, ${made.testSetId}, ${[...made.testIds]}::uuid[],
      ${made.personas && [...made.personas]}::text[], ${made.repeats}, ${made.cells.length}, ${made.cells.length},
      ${made.platformNanoUsd}, ${made.serviceNanoUsd}, ${made.createdBy}, ${made.apiKeyId})
    on conflict (agent_id, version) where trigger = 'auto' do nothing returning id
  `.execute(db);
  const runId = rows[0]?.id;
  if (runId === undefined) return null;
  await sql`
    insert into run_cells (run_id, test_id, persona, workspace_id, agent_id, position, test_revision, source, lane,
      expect, guard, gates, gate_reason, runnable)
    select ${runId}::uuid, c."testId", c.persona, ${made.workspaceId}::uuid, ${made.agentId}::uuid, c.position,
      c."testRevision", c.source, c.lane, c.expect, c.guard, c.gates, c."gateReason", c.runnable
    from jsonb_to_recordset(${JSON.stringify(made.cells)}::jsonb) as c("testId" uuid, persona text, position int,
      "testRevision" int, source text, lane text, expect text, guard boolean, gates boolean, "gateReason" text,
      runnable boolean)
  `.execute(db);
  return runId;
}

/** Moves it on, if it stands where the caller believes. Null leaves the message as it is. */
export async function moveRun(
  em: EntityManager,
  runId: string,
  from: readonly RunStatus[],
  to: RunStatus,
  set: { message: string | null; waitsUntil?: string | null },
): Promise<boolean> {
  const ends = to === 'complete' || to === 'refused' || to === 'failed';
  const { rows } = await sql`
    update runs set status = ${to}, message = coalesce(${set.message}, message), waits_until = ${set.waitsUntil ?? null},
      started_at = case when ${to} = 'running' then coalesce(started_at, clock_timestamp()) else started_at end,
      finished_at = ${ends ? sql`clock_timestamp()` : sql`null`}, updated_at = clock_timestamp()
    where id = ${runId} and status = any(${[...from]}::text[]) returning id
  `.execute(em.getKysely());
  return rows.length > 0;
}

export async function sayOfRun(em: EntityManager, runId: string, message: string): Promise<void> {
  await sql`update runs set message = ${message}, updated_at = clock_timestamp() where id = ${runId}`.execute(
    em.getKysely(),
  );
}

/** Cells beyond the first so many are not run: the budget does not cover them. */
export async function coverCells(em: EntityManager, runId: string, runnable: number): Promise<void> {
  await sql`
    with covered as (update runs set cells_runnable = ${runnable}, updated_at = clock_timestamp() where id = ${runId})
    update run_cells set runnable = position < ${runnable}
    where run_id = ${runId} and runnable is distinct from (position < ${runnable})
  `.execute(em.getKysely());
}

/** Whether the workflow of this id belongs to a run that has not ended: a message to it may come before its start. */
export async function isRunOpen(em: EntityManager, workflowId: string): Promise<boolean> {
  const runId = /^run\/([0-9a-f-]{36})(\/retry\/\d+)?$/.exec(workflowId)?.[1];
  if (runId === undefined) return false;
  const { rows } = await sql`
    select 1 from runs where id = ${runId} and status in ('queued', 'awaiting_approval', 'running')
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** A run that must have a workflow. */
export interface RunUnderWay {
  runId: string;
  agentId: string;
  agentName: string;
  /** Second tries of its errors that were begun. */
  retries: number;
  /** The rescore that goes on; null: the run itself does. */
  rescore: number | null;
}

/** Runs that are open or scored again, but for those that something happened to within the last minute. */
export async function runsUnderWay(
  em: EntityManager,
  workspaceId: string,
  afterId: string | null,
  limit: number,
): Promise<RunUnderWay[]> {
  const { rows } = await sql<RunUnderWay>`
    select r.id as "runId", r.agent_id as "agentId", a.name as "agentName", r.retries,
      case when r.rescoring then r.rescores end as rescore
    from runs r join agents a on a.id = r.agent_id
    where r.workspace_id = ${workspaceId} and (${afterId}::uuid is null or r.id > ${afterId}::uuid)
      and (r.status in ('queued', 'awaiting_approval', 'running') or r.rescoring)
      and r.updated_at < now() - interval '1 minute'
    order by r.id limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
