import { sql } from 'kysely';
import type { ReanalysisReport } from '../../domain/signals/reanalysis-report.ts';
import type { Thresholds } from '../../domain/signals/signal.ts';
import type { ReanalysisStatus } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';

export interface ReanalysisView {
  id: string;
  agentId: string;
  workspaceId: string;
  status: ReanalysisStatus;
  analyserVersion: number;
  thresholds: Thresholds | null;
  appliesItself: boolean;
  total: number;
  done: number;
  failed: number;
  applied: number;
  cursor: string | null;
  report: ReanalysisReport | null;
  reason: string | null;
  createdAt: string;
  reportedAt: string | null;
  finishedAt: string | null;
}

const iso = (column: string) =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const columns = sql`
  id, agent_id, workspace_id, status, analyser_version, thresholds,
  applies_itself, total, done, failed, applied, cursor, report, reason,
  ${iso('created_at')} as created_at, ${iso('reported_at')} as reported_at, ${iso('finished_at')} as finished_at`;

export interface NewReanalysis {
  workspaceId: string;
  agentId: string;
  analyserVersion: number;
  thresholds: Thresholds | null;
  appliesItself: boolean;
  createdBy: string | null;
}

/** @returns its id, or null while another of the agent is open. */
export async function insertReanalysis(em: EntityManager, made: NewReanalysis): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into reanalyses (id, workspace_id, agent_id, analyser_version, thresholds, applies_itself, created_by, total)
    select ${newId()}, ${made.workspaceId}, ${made.agentId}, ${made.analyserVersion},
      ${made.thresholds && JSON.stringify(made.thresholds)}::jsonb, ${made.appliesItself}, ${made.createdBy}, call_count
    from agents where id = ${made.agentId}
    on conflict (agent_id) where status in ('queued', 'reading', 'reported', 'applying') do nothing returning id
  `.execute(db(em));
  return rows[0]?.id ?? null;
}

export async function findReanalysis(em: EntityManager, scope: ReadScope, id: string): Promise<ReanalysisView | null> {
  const { rows } = await sql<ReanalysisView>`
    select ${columns} from reanalyses where id = ${id} and ${ofAgents('agent_id', scope)}
  `.execute(db(em));
  return rows[0] ?? null;
}

/** Newest first. */
export async function listReanalyses(em: EntityManager, scope: ReadScope, limit: number): Promise<ReanalysisView[]> {
  const { rows } = await sql<ReanalysisView>`
    select ${columns} from reanalyses where ${ofAgents('agent_id', scope)} order by created_at desc, id desc
    limit ${limit}
  `.execute(db(em));
  return rows;
}

/** For the work itself, which knows the workspace only. */
export async function loadReanalysis(em: EntityManager, id: string): Promise<ReanalysisView | null> {
  const { rows } = await sql<ReanalysisView>`select ${columns} from reanalyses where id = ${id}`.execute(db(em));
  return rows[0] ?? null;
}

/** Moves it on, if it stands where the caller believes: of two who decide at once, one wins. */
export async function moveReanalysis(
  em: EntityManager,
  id: string,
  from: readonly ReanalysisStatus[],
  to: ReanalysisStatus,
  reason: string | null = null,
): Promise<boolean> {
  const ends = to === 'applied' || to === 'discarded' || to === 'failed';
  const { rows } = await sql`
    update reanalyses set status = ${to}, reason = ${reason}, updated_at = now(),
      finished_at = ${ends ? sql`now()` : sql`null`}
    where id = ${id} and status = any(${[...from]}::text[]) returning id
  `.execute(db(em));
  return rows.length > 0;
}

export async function storeReport(em: EntityManager, id: string, report: ReanalysisReport): Promise<boolean> {
  const { rows } = await sql`
    update reanalyses set status = 'reported', report = ${JSON.stringify(report)}::jsonb, reported_at = now(),
      updated_at = now()
    where id = ${id} and status = 'reading' returning id
  `.execute(db(em));
  return rows.length > 0;
}

/** Readings that were never switched on, or are by now. */
export async function dropShadows(em: EntityManager, id: string): Promise<void> {
  await sql`delete from shadow_readings where reanalysis_id = ${id}`.execute(db(em));
}

/** Analysed calls whose reading is of an earlier analyser. */
export async function countBehind(em: EntityManager, scope: ReadScope, analyserVersion: number): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*)::int as calls from calls
    where ${ofAgents('agent_id', scope)} and state = 'analysed' and analyser_version < ${analyserVersion}
  `.execute(db(em));
  return rows[0]?.calls ?? 0;
}

/** Agents of the workspace with calls that an earlier analyser read. */
export async function agentsBehind(em: EntityManager, workspaceId: string, analyserVersion: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from agents a where a.workspace_id = ${workspaceId} and ${behind(analyserVersion)} order by a.id
  `.execute(db(em));
  return rows.map((row) => row.id);
}

const behind = (analyserVersion: number) => sql`exists (
  select 1 from calls c where c.agent_id = a.id and c.state = 'analysed' and c.analyser_version < ${analyserVersion})`;

/** Agents that nobody may write to, with readings of an earlier analyser and no re-analysis open. */
export async function readOnlyAgentsBehind(
  em: EntityManager,
  workspaceId: string,
  analyserVersion: number,
): Promise<{ agentId: string; name: string }[]> {
  const { rows } = await sql<{ agentId: string; name: string }>`
    select a.id as agent_id, a.name from agents a
    where a.workspace_id = ${workspaceId} and a.read_only and ${behind(analyserVersion)}
  `.execute(db(em));
  return rows;
}
