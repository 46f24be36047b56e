import { sql } from 'kysely';
import type { ErasureScope, ErasureStatus } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { isOpen } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, anyId, asId, json, now } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import type { Row } from '../tables.ts';
import type { Removed } from './removed.ts';

/** A running one writes its row far more often. */
const QUIET_MINUTES = 30;

export type ErasureView = Row<'erasures'>;

export interface NewErasure {
  /** Chosen by whoever sealed the number for it. */
  id?: string;
  workspaceId: string;
  agentId: string | null;
  scope: ErasureScope;
  callIds: readonly string[];
  callerKey: string | null;
  sealedNumber: string | null;
  total: number;
  reason: string;
  requestedBy: string;
}

export async function insertErasure(em: EntityManager, made: NewErasure): Promise<ErasureView> {
  return db(em)
    .insertInto('erasures')
    .values({
      id: made.id ?? newId(),
      workspaceId: made.workspaceId,
      agentId: made.agentId,
      scope: made.scope,
      callIds: json([...made.callIds]),
      callerKey: made.callerKey,
      sealedNumber: made.sealedNumber,
      total: made.total,
      reason: made.reason,
      requestedBy: made.requestedBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findErasure(em: EntityManager, agentId: string, id: string): Promise<ErasureView | null> {
  const erasure = db(em).selectFrom('erasures').where('id', '=', id).where('agentId', '=', agentId).selectAll();
  return (await erasure.executeTakeFirst()) ?? null;
}

/** One of a workspace, whatever became of its agent. */
export async function findErasureOf(em: EntityManager, workspaceId: string, id: string): Promise<ErasureView | null> {
  const found = db(em).selectFrom('erasures').where('id', '=', id).where('workspaceId', '=', workspaceId).selectAll();
  return (await found.executeTakeFirst()) ?? null;
}

/** Newest first. @param of all of a workspace, or an agent's */
export function listErasures(
  em: EntityManager,
  of: { workspaceId: string } | { agentId: string },
  page: ListPage,
): Promise<ErasureView[]> {
  const all = db(em).selectFrom('erasures').selectAll();
  const erasures =
    'agentId' in of ? all.where('agentId', '=', of.agentId) : all.where('workspaceId', '=', of.workspaceId);
  return newestFirst(erasures, ['createdAt', 'id'], page).execute();
}

/** The platform's ids of calls of an agent, for those that are there. */
export function callsToErase(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
): Promise<{ id: string; providerCallId: string }[]> {
  return db(em)
    .selectFrom('calls')
    .where('agentId', '=', agentId)
    .where('id', '=', anyId(callIds))
    .select(['id', 'providerCallId'])
    .execute();
}

/** Calls of a caller that are there, in no order: analysed ones, those that wait, and those whose changed record names them. */
export async function callsOfCaller(
  em: EntityManager,
  agentId: string,
  callerKey: string,
  limit: number,
): Promise<string[]> {
  const analysed = db(em)
    .selectFrom('calls')
    .where('agentId', '=', asId(agentId))
    .where('callerKey', '=', callerKey)
    .where('state', '=', 'analysed')
    .select('id');
  const open = db(em)
    .selectFrom('calls')
    .leftJoin('transcripts as t', (join) => join.onRef('t.callId', '=', 'calls.id').on('t.pending', 'is not', null))
    .where('calls.agentId', '=', asId(agentId))
    .where(isOpen)
    .where((eb) =>
      eb.or([eb('calls.callerKey', '=', callerKey), eb(eb.ref('t.pending', '->>').key('callerKey'), '=', callerKey)]),
    )
    .select('calls.id');
  const rows = await db(em).selectFrom(analysed.union(open).as('found')).select('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** Notes a batch in the transaction that removes it, so that a batch counts once however often it is tried. */
export async function advanceErasure(em: EntityManager, id: string, calls: number, removed: Removed): Promise<void> {
  await sql`
    update erasures set done = done + ${calls}, total = greatest(total, done + ${calls}), updated_at = now(),
      removed = (select coalesce(jsonb_object_agg(name, rows), '{}') from (
        select name, sum(rows::int) as rows from (
          select * from jsonb_each_text(removed) as before(name, rows)
          union all select * from jsonb_each_text(${JSON.stringify(removed)}::jsonb) as more(name, rows)
        ) both_ways group by name) summed)
    where id = ${id}`.execute(db(em));
}

/** Moves it on where it stands where the caller believes; at its end what it needed to find calls by is forgotten. */
export async function moveErasure(
  em: EntityManager,
  id: string,
  from: readonly ErasureStatus[],
  to: ErasureStatus,
  message: string | null = null,
): Promise<boolean> {
  const ends = to === 'complete' || to === 'failed';
  const moved = await db(em)
    .updateTable('erasures')
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .set((eb) => ({
      status: to,
      message,
      updatedAt: now,
      startedAt: eb.fn.coalesce('startedAt', now),
      finishedAt: ends ? now : null,
      sealedNumber: ends ? null : eb.ref('sealedNumber'),
    }))
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

/** Of agents and workspaces that are erased whole, those that failed or of which nothing was heard for a while: they wait again. */
export function reopenErasures(
  em: EntityManager,
  workspaceId: string,
): Promise<{ id: string; agentId: string | null }[]> {
  return db(em)
    .updateTable('erasures')
    .where('workspaceId', '=', workspaceId)
    .where('scope', 'in', ['agent', 'workspace'])
    .where('status', '<>', 'complete')
    .where('updatedAt', '<', ago(QUIET_MINUTES, 'minutes'))
    .set({ status: 'queued', message: null, finishedAt: null, updatedAt: now })
    .returning(['id', 'agentId'])
    .execute();
}
