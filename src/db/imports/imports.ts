import { type ExpressionBuilder, sql } from 'kysely';
import { type ImportKind, type ImportStatus, sendsCalls } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { ImportRequest } from '../../temporal/agent-coordinator.ts';
import {
  type FailureReason,
  type ImportEnded,
  type ImportPlan,
  type ImportRequestKey,
  type ImportStanding,
  laneOf,
  REASONS_MAX,
  WAITS_FOR_PLATFORM,
} from '../../temporal/import-calls.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { type NewEvent, publishEvent, publishEvents } from '../events/events.ts';
import { ago, anyId, json, now } from '../expressions.ts';
import { orderGraceLook } from '../issues/grace.ts';
import { markListed } from '../issues/grouping.ts';
import { executePlanned } from '../planned.ts';
import type { Row, Tables } from '../tables.ts';
import { dropUpload } from './uploads.ts';

/** How far back a first import reaches. */
export const FIRST_REACH_DAYS = 30;
/** A call that goes on for longer no longer holds the bookmark back. */
const ONGOING_HOLDS_HOURS = 24;

/** Imports whose records came to us: uploaded by a person, or sent by what runs the agent. */
export const OF_RECORDS = ['file', 'ingest'] as const;
const isOfRecords = (kind: ImportKind) => OF_RECORDS.some((name) => name === kind);

export const UNFINISHED = ['queued', 'running', 'paused'] as const;

/** A poll that found nothing: nobody needs to be told of it. */
export const isQuiet = (row: Pick<Row<'imports'>, 'kind' | 'stored' | 'failed'>) =>
  row.kind === 'poll' && row.stored === 0 && row.failed === 0;

/** The row of a try that is not over. */
export const openTry = (em: EntityManager, { importId, attempt }: ImportRequestKey) =>
  db(em)
    .updateTable('imports')
    .where('imports.id', '=', importId)
    .where('imports.attempt', '=', attempt)
    .where('imports.status', 'in', UNFINISHED);

/** Imports of an agent that are ordered or go on. */
export const openImports = (em: EntityManager, agentId: string) =>
  db(em).selectFrom('imports').where('imports.agentId', '=', agentId).where('imports.status', 'in', UNFINISHED);

export interface NewImport {
  workspaceId: string;
  agentId: string;
  kind: ImportKind;
  /** Most calls to take, newest first; null for all of the window. */
  limit: number | null;
  /** ISO 8601; null: 30 days back for a platform, no bound for a file. */
  from: string | null;
  /** Given where records were uploaded under it before the row exists. */
  importId?: string;
  /** Records that were refused before the import began: they count as listed and failed. */
  refused?: number;
}

/** Makes the row of an import. The order to run it belongs in the same transaction. */
export async function createImport(em: EntityManager, made: NewImport): Promise<ImportRequest> {
  const { importId = newId(), refused = 0, workspaceId, agentId, kind, limit, from } = made;
  const counts = { listed: refused, failed: refused };
  await db(em)
    .insertInto('imports')
    .values({ id: importId, workspaceId, agentId, kind, callLimit: limit, windowFrom: from, ...counts })
    .execute();
  return { importId, attempt: 1, lane: laneOf(made) };
}

/** Opens a finished import for another try. Null when it still runs, or is not this agent's. */
export async function reopenImport(
  em: EntityManager,
  agentId: string,
  importId: string,
): Promise<ImportRequest | null> {
  const row = await db(em)
    .updateTable('imports')
    .where('id', '=', importId)
    .where('agentId', '=', agentId)
    .where('status', 'not in', UNFINISHED)
    .set((eb) => ({
      status: 'queued',
      attempt: eb('attempt', '+', 1),
      reason: null,
      waitsFor: null,
      finishedAt: null,
      updatedAt: now,
    }))
    .returning(['attempt', 'kind', 'callLimit as limit'])
    .executeTakeFirst();
  return row ? { importId, attempt: row.attempt, lane: laneOf(row) } : null;
}

/** From the record, because an execution that was terminated had windows in flight that nobody counted. */
async function countAnalysed(em: EntityManager, importId: string): Promise<number> {
  const { analysed } = await db(em)
    .selectFrom('calls')
    .where('agentId', '=', (eb) =>
      eb.selectFrom('imports').where('imports.id', '=', importId).select('imports.agentId'),
    )
    .where('importId', '=', importId)
    .where('state', '=', 'analysed')
    .where('reanalyse', '=', false)
    .select((eb) => eb.fn.countAll<number>().as('analysed'))
    .executeTakeFirstOrThrow();
  return analysed;
}

/**
 * Marks an import as running and fixes its window. An import that an earlier server lost goes on from the standing in
 * its row, paused where it was. Null when this try is over or is not the row's.
 */
export async function beginImport(
  em: EntityManager,
  request: ImportRequestKey,
): Promise<{ plan: Omit<ImportPlan, 'patience'>; standing: ImportStanding; paused: boolean } | null> {
  const row = await openTry(em, request)
    .from('agents')
    .whereRef('agents.id', '=', 'imports.agentId')
    .set((eb) => ({
      status: eb
        .case()
        .when('imports.status', '=', 'paused')
        .then<ImportStatus>('paused')
        .else<ImportStatus>('running')
        .end(),
      waitsFor: null,
      updatedAt: now,
      startedAt: eb.fn.coalesce('imports.startedAt', now),
      windowTo: eb.fn.coalesce('imports.windowTo', now),
      windowFrom: eb
        .case()
        .when(eb.and([eb('imports.windowFrom', 'is', null), eb('imports.kind', 'not in', OF_RECORDS)]))
        .then(ago(FIRST_REACH_DAYS, 'days'))
        .else(eb.ref('imports.windowFrom'))
        .end(),
    }))
    .returning([
      'imports.kind',
      'imports.status',
      'slice',
      'provider',
      'windowFrom',
      'windowTo',
      'callLimit',
      'cursor',
      'listingEnded',
    ])
    .returning(['pages', 'listed', 'stored', 'unchanged', 'stillFailed', 'waiting', 'failed', 'ongoing', 'gone'])
    .returning(['oldestOngoingAt'])
    .$narrowType<{ windowTo: string }>()
    .executeTakeFirst();
  if (!row) return null;
  const { listed, stored, unchanged, stillFailed, waiting, failed, ongoing, gone } = row;
  const analysed = row.pages === 0 ? 0 : Math.min(stored, await countAnalysed(em, request.importId));
  return {
    plan: {
      kind: row.kind,
      source: isOfRecords(row.kind) || sendsCalls(row.provider) ? 'file' : 'platform',
      from: row.windowFrom,
      to: row.windowTo,
      limit: row.callLimit,
    },
    standing: {
      cursor: row.cursor,
      listingEnded: row.listingEnded,
      slice: row.slice,
      pages: row.pages,
      counts: { listed, stored, unchanged, stillFailed, analysed, waiting, failed, ongoing, gone },
      reasons: await failureReasons(em, request.importId),
      oldestOngoingAt: row.oldestOngoingAt,
    },
    paused: row.status === 'paused',
  };
}

/** Writes where an import stands. Figures are absolute, so a second delivery changes nothing; a finished import stays as it is. */
export async function saveImport(
  em: EntityManager,
  request: ImportRequestKey,
  standing: { standing: ImportStanding; status: 'running' | 'paused'; waitsFor: string | null },
): Promise<void> {
  const { status, waitsFor } = standing;
  await em.transactional(async (within) => {
    const row = await openTry(within, request)
      .set({ status, waitsFor, ...columnsOf(standing.standing) })
      .set((eb) => ({ stuckSince: stuckSince(eb, standing), updatedAt: now }))
      .returning(['agentId', 'kind', 'stored', 'failed'])
      .executeTakeFirst();
    if (row && !isQuiet(row))
      await publishEvent(within, { agentId: row.agentId, kind: 'import.progress', ref: request.importId });
  });
}

function columnsOf({ counts, cursor, listingEnded, slice, pages, oldestOngoingAt }: ImportStanding) {
  const { listed, stored, unchanged, stillFailed = 0, analysed, waiting, failed, ongoing, gone } = counts;
  const sums = { listed, stored, unchanged, stillFailed, analysed, waiting, failed, ongoing, gone };
  return { cursor, listingEnded, pages, oldestOngoingAt, slice: slice && json(slice), ...sums };
}

/** Between two waits an import asks again: only what it got further counts as an end of the waiting. */
function stuckSince(
  eb: ExpressionBuilder<Tables, 'imports'>,
  { standing, waitsFor }: { standing: ImportStanding; waitsFor: string | null },
) {
  const { stored, unchanged, analysed, failed, gone } = standing.counts;
  const isAsBefore = eb.and({ pages: standing.pages, stored, unchanged, analysed, failed, gone });
  if (!waitsFor?.startsWith(WAITS_FOR_PLATFORM)) {
    return eb.case().when(isAsBefore).then(eb.ref('stuckSince')).end();
  }
  return eb.case().when(isAsBefore).then(eb.fn.coalesce('stuckSince', now)).else(now).end();
}

/**
 * Ends an import once. A complete one moves the agent's bookmark when its window joins what was polled before: not for
 * a window that begins later or that its limit cut short, which would leave a gap behind the bookmark.
 * @returns the agent that it was for; null where it had ended before.
 */
export async function finishImport(
  em: EntityManager,
  request: ImportRequestKey,
  end: {
    status: Extract<ImportStatus, 'complete' | 'failed' | 'cancelled'>;
    reason: string | null;
    /** The platform refused it, or gave no answer for too long. */
    refused?: boolean;
    /** Where it stands, if that was not saved before. */
    standing?: ImportStanding;
  },
): Promise<string | null> {
  return em.transactional(async (within) => {
    const row = await openTry(within, request)
      .set({
        ...(end.standing && columnsOf(end.standing)),
        status: end.status,
        reason: end.reason,
        refused: end.refused === true,
        waitsFor: null,
        stuckSince: null,
        finishedAt: now,
        updatedAt: now,
      })
      .returning(['agentId', 'kind', 'attempt', 'analysed', 'stored', 'failed'])
      .executeTakeFirst();
    const isToldOf = row !== undefined && !(isQuiet(row) && end.status === 'complete');
    if (row && row.attempt > 1 && row.analysed < row.stored) await countAgain(within, request.importId);
    if (row && end.status === 'complete') await noteComplete(within, request.importId, row);
    // Issues that are due waited for it to end, or for its calls: one that cannot be read no longer holds them up.
    if (row && row.kind !== 'poll') await orderGraceLook(within, row.agentId);
    else if (isToldOf) await orderGraceLook(within, row.agentId, 'for analysis');
    // What its pages put on the board and none folded again is told of now.
    const opened = row && row.kind !== 'poll' ? await markListed(within, row.agentId) : [];
    const events = opened.map((id): NewEvent => ({ kind: 'issue.opened', ref: id }));
    if (isToldOf) events.push({ kind: 'import.finished', ref: request.importId });
    // Last, because it keeps others of the workspace waiting until this transaction ends.
    if (row && events.length > 0) await publishEvents(within, row.agentId, events);
    return row?.agentId ?? null;
  });
}

/** What an earlier try had in flight when it was lost may have been stored after this one began to count. */
async function countAgain(em: EntityManager, importId: string): Promise<void> {
  const analysed = await countAnalysed(em, importId);
  await db(em)
    .updateTable('imports')
    .where('id', '=', importId)
    .set((eb) => ({
      analysed: eb.fn<number>('greatest', ['analysed', eb.fn('least', ['stored', eb.val(analysed)])]),
    }))
    .execute();
}

export async function noteComplete(
  em: EntityManager,
  importId: string,
  row: { agentId: string; kind: ImportKind },
): Promise<void> {
  if (isOfRecords(row.kind)) await dropUpload(em, importId);
  // Polls that come beside the first import do not stand for it.
  if (row.kind !== 'poll') {
    await db(em)
      .updateTable('agents')
      .where('id', '=', row.agentId)
      .where('onboardingStep', '=', 'importing')
      .set({ onboardingStep: 'done', updatedAt: now })
      .execute();
  }
  if (!isOfRecords(row.kind)) await moveBookmark(em, importId);
}

/**
 * A first import also takes it back to a call that went on when it looked, as polls beside it may have moved it past
 * that.
 */
const moveBookmark = (em: EntityManager, importId: string) => moveBookmarks(em, [importId]);

/** The same of several imports, each of another agent. */
export async function moveBookmarks(em: EntityManager, importIds: readonly string[]): Promise<void> {
  await executePlanned(
    em,
    sql`
    update agents set updated_at = now(), polled_until = greatest(polled_until, i.window_to), bookmark_at = case
        when i.kind = 'first' and i.held < bookmark_at then i.held
        else greatest(bookmark_at, least(i.window_to, i.held)) end
    from (select *, case when oldest_ongoing_at > ${ago(ONGOING_HOLDS_HOURS, 'hours')} then oldest_ongoing_at end as held
      from imports where id = ${anyId(importIds)}) i
    where agents.id = i.agent_id and (bookmark_at is null or (i.kind = 'first' and i.held < bookmark_at)
      or (i.window_from <= bookmark_at and (i.call_limit is null or i.listed < i.call_limit)))`,
  );
}

/** The most frequent reasons for which records of an import were kept, with their counts. */
export async function failureReasons(em: EntityManager, importId: string): Promise<FailureReason[]> {
  const kept = db(em)
    .selectFrom('import_failures')
    .where('importId', '=', importId)
    .where('resolvedAt', 'is', null)
    .select('reason')
    .unionAll((eb) =>
      eb
        .selectFrom('calls')
        .where('importId', '=', importId)
        .where('state', '=', 'failed')
        .where('stateReason', 'is not', null)
        .where('agentId', '=', (of) =>
          of.selectFrom('imports').where('imports.id', '=', importId).select('imports.agentId'),
        )
        .select((of) => of.ref('stateReason').$notNull().as('reason')),
    );
  return db(em)
    .selectFrom(kept.as('kept'))
    .select((eb) => ['reason', eb.fn.countAll<number>().as('calls')])
    .groupBy('reason')
    .orderBy('calls', 'desc')
    .orderBy('reason')
    .limit(REASONS_MAX)
    .execute();
}

/** How a try of an import ended; null while it goes on, or where there is a later one. */
export async function readEnd(
  em: EntityManager,
  { importId, attempt }: ImportRequestKey,
): Promise<Pick<ImportEnded, 'status' | 'reason'> | null> {
  const row = await db(em)
    .selectFrom('imports')
    .where('id', '=', importId)
    .where('attempt', '=', attempt)
    .where('status', 'not in', UNFINISHED)
    .select(['status', 'reason'])
    .$narrowType<{ status: ImportEnded['status'] }>()
    .executeTakeFirst();
  return row ?? null;
}

/** Imports that no workflow may be working on: begun or ordered, unfinished, and untouched for a while. */
export async function quietImports(
  em: EntityManager,
  workspaceId: string,
  quietForSeconds: number,
): Promise<(ImportRequest & { agentId: string })[]> {
  const rows = await db(em)
    .selectFrom('imports')
    .where('workspaceId', '=', workspaceId)
    .where('status', 'in', UNFINISHED)
    .where('updatedAt', '<', ago(quietForSeconds, 'seconds'))
    .select(['id as importId', 'attempt', 'agentId', 'kind', 'callLimit as limit'])
    .orderBy('createdAt')
    .limit(1000)
    .execute();
  return rows.map(({ kind, limit, ...request }) => ({ ...request, lane: laneOf({ kind, limit }) }));
}

/** Whether a try of an import, named as its workflow, is ordered or going on. */
export async function isImportOpen(em: EntityManager, workflowId: string): Promise<boolean> {
  const [, importId, attempt] = /^import\/([0-9a-f-]{36})\/(\d+)$/.exec(workflowId) ?? [];
  if (importId === undefined) return false;
  const row = await db(em)
    .selectFrom('imports')
    .where('id', '=', importId)
    .where('attempt', '=', Number(attempt))
    .where('status', 'in', UNFINISHED)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}
