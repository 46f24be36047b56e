import { type Expression, expressionBuilder } from 'kysely';
import type { Thresholds } from '../../domain/signals/detector-input.ts';
import type { ReanalysisReport } from '../../domain/signals/reanalysis-report.ts';
import type { ReanalysisStatus } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row, Tables } from '../tables.ts';

const COLUMNS = [
  'id',
  'agentId',
  'workspaceId',
  'status',
  'analyserVersion',
  'thresholds',
  'appliesItself',
  'total',
  'done',
  'failed',
  'applied',
  'cursor',
  'report',
  'reason',
  'createdAt',
  'reportedAt',
  'finishedAt',
] as const;

export type ReanalysisView = Pick<Row<'reanalyses'>, (typeof COLUMNS)[number]>;

const views = (em: EntityManager) => db(em).selectFrom('reanalyses').select(COLUMNS);

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
  const { workspaceId, agentId, analyserVersion, thresholds, appliesItself, createdBy } = made;
  const inserted = await db(em)
    .insertInto('reanalyses')
    .values((eb) => ({
      id: newId(),
      workspaceId,
      agentId,
      analyserVersion,
      thresholds: thresholds && json(thresholds),
      appliesItself,
      createdBy,
      total: eb.selectFrom('agents').where('id', '=', agentId).select('callCount'),
    }))
    // One that is open keeps all others out: no other key can stand in the way.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id ?? null;
}

export async function findReanalysis(em: EntityManager, scope: ReadScope, id: string): Promise<ReanalysisView | null> {
  const found = views(em).where('id', '=', id).where('agentId', '=', anyAgent(scope));
  return (await found.executeTakeFirst()) ?? null;
}

/** Newest first. */
export function listReanalyses(em: EntityManager, scope: ReadScope, limit: number): Promise<ReanalysisView[]> {
  return views(em)
    .where('agentId', '=', anyAgent(scope))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** For the work itself, which knows the workspace only. */
export async function loadReanalysis(em: EntityManager, id: string): Promise<ReanalysisView | null> {
  return (await views(em).where('id', '=', id).executeTakeFirst()) ?? null;
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
  const moved = await db(em)
    .updateTable('reanalyses')
    .where('id', '=', id)
    .where('status', 'in', from)
    .set({ status: to, reason, updatedAt: now, finishedAt: ends ? now : null })
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

export async function storeReport(em: EntityManager, id: string, report: ReanalysisReport): Promise<boolean> {
  const stored = await db(em)
    .updateTable('reanalyses')
    .where('id', '=', id)
    .where('status', '=', 'reading')
    .set({ status: 'reported', report: json(report), reportedAt: now, updatedAt: now })
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Readings that were never switched on, or are by now. */
export async function dropShadows(em: EntityManager, id: string): Promise<void> {
  await db(em).deleteFrom('shadow_readings').where('reanalysisId', '=', id).execute();
}

/** Analysed calls whose reading is of an earlier analyser. */
export async function countBehind(em: EntityManager, scope: ReadScope, analyserVersion: number): Promise<number> {
  const { calls } = await db(em)
    .selectFrom('calls')
    .where('agentId', '=', anyAgent(scope))
    .where('state', '=', 'analysed')
    .where('analyserVersion', '<', analyserVersion)
    .select(({ fn }) => fn.countAll<number>().as('calls'))
    .executeTakeFirstOrThrow();
  return calls;
}

/** Agents of the workspace with calls that an earlier analyser read. */
export async function agentsBehind(em: EntityManager, workspaceId: string, analyserVersion: number): Promise<string[]> {
  const agents = await db(em)
    .selectFrom('agents')
    .where('workspaceId', '=', workspaceId)
    .where(({ ref }) => isBehind(ref('agents.id'), analyserVersion))
    .select('id')
    .orderBy('id')
    .execute();
  return agents.map(({ id }) => id);
}

function isBehind(agentId: Expression<string>, analyserVersion: number) {
  const eb = expressionBuilder<Tables>();
  return eb.exists(
    eb
      .selectFrom('calls as c')
      .where('c.agentId', '=', agentId)
      .where('c.state', '=', 'analysed')
      .where('c.analyserVersion', '<', analyserVersion)
      .select('c.id'),
  );
}

/** Agents that nobody may write to, with readings of an earlier analyser and no re-analysis open. */
export function readOnlyAgentsBehind(
  em: EntityManager,
  workspaceId: string,
  analyserVersion: number,
): Promise<{ agentId: string; name: string }[]> {
  return db(em)
    .selectFrom('agents')
    .where('workspaceId', '=', workspaceId)
    .where('readOnly', '=', true)
    .where(({ ref }) => isBehind(ref('agents.id'), analyserVersion))
    .select(['id as agentId', 'name'])
    .execute();
}
