import { type RawBuilder, sql } from 'kysely';
import type { ImportKind, ImportStatus } from '../../domain/vocabulary.ts';
import {
  type FailureReason,
  type ImportPlan,
  type ImportRequestKey,
  type ImportStanding,
  REASONS_MAX,
  WAITS_FOR_PLATFORM,
} from '../../durable/import.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { noteEvent } from './events.ts';
import { orderGraceLook } from './grace.ts';

/** How far back a first import reaches, and how much the window of a poll overlaps the one before. */
const FIRST_REACH_DAYS = 30;
export const POLL_OVERLAP_MS = 2 * 60 * 60 * 1000;
/** A call that goes on for longer holds the bookmark back no more. */
const ONGOING_HOLDS_HOURS = 24;

const isoTime = (column: string): RawBuilder<string | null> =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const unfinished = sql`status in ('queued', 'running', 'paused')`;
/** A poll that found nothing: nobody needs to be told of it. */
const quiet = sql`(imports.kind = 'poll' and stored = 0 and imports.failed = 0)`;

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
export async function createImport(em: EntityManager, made: NewImport): Promise<ImportRequestKey> {
  const { importId = newId(), refused = 0 } = made;
  await sql`
    insert into imports (id, workspace_id, agent_id, kind, call_limit, window_from, listed, failed)
    values (${importId}, ${made.workspaceId}, ${made.agentId}, ${made.kind}, ${made.limit}, ${made.from}, ${refused}, ${refused})
  `.execute(em.getKysely());
  return { importId, attempt: 1 };
}

/** Opens a finished import for another try. Null when it still runs, or is not this agent's. */
export async function reopenImport(
  em: EntityManager,
  agentId: string,
  importId: string,
): Promise<ImportRequestKey | null> {
  const { rows } = await sql<{ attempt: number }>`
    update imports
    set status = 'queued', attempt = attempt + 1, reason = null, waits_for = null, finished_at = null, updated_at = now()
    where id = ${importId} and agent_id = ${agentId} and not (${unfinished})
    returning attempt
  `.execute(em.getKysely());
  const [row] = rows;
  return row ? { importId, attempt: row.attempt } : null;
}

/**
 * The row of the next poll, or null when there is nothing to poll from (no import has set the bookmark yet) or a poll
 * is still open. A poll that found nothing new leaves its row to the next one, so that quiet minutes cost one row.
 */
export async function takePollImport(em: EntityManager, agentId: string): Promise<ImportRequestKey | null> {
  return em.transactional(async (within) => {
    const db = within.getKysely();
    const { rows: agents } = await sql<{ workspaceId: string; from: string }>`
      select workspace_id as "workspaceId", (bookmark_at - ${`${POLL_OVERLAP_MS} milliseconds`}::interval)::text as "from"
      from agents where id = ${agentId} and bookmark_at is not null and provider <> 'file' for update
    `.execute(db);
    const [agent] = agents;
    if (!agent) return null;
    const { rows: polls } = await sql<{ id: string; attempt: number; open: boolean; quiet: boolean }>`
      select id, attempt, ${unfinished} as "open", stored = 0 and failed = 0 as "quiet"
      from imports where agent_id = ${agentId} and kind = 'poll' order by created_at desc, id desc limit 1
    `.execute(db);
    const [last] = polls;
    if (last?.open) return null;
    if (last?.quiet) {
      const attempt = last.attempt + 1;
      await sql`
        update imports set status = 'queued', attempt = ${attempt}, window_from = ${agent.from}, window_to = null,
          cursor = null, listing_ended = false, pages = 0, listed = 0, stored = 0, unchanged = 0, analysed = 0,
          waiting = 0, failed = 0, ongoing = 0, gone = 0, oldest_ongoing_at = null, waits_for = null, reason = null,
          started_at = null, finished_at = null, updated_at = now()
        where id = ${last.id}
      `.execute(db);
      return { importId: last.id, attempt };
    }
    return createImport(within, {
      workspaceId: agent.workspaceId,
      agentId,
      kind: 'poll',
      limit: null,
      from: agent.from,
    });
  });
}

interface ImportLine {
  kind: ImportKind;
  provider: string;
  from: string | null;
  to: string;
  limit: number | null;
  cursor: string | null;
  listingEnded: boolean;
  pages: number;
  listed: number;
  stored: number;
  unchanged: number;
  analysed: number;
  waiting: number;
  failed: number;
  ongoing: number;
  gone: number;
  oldestOngoingAt: string | null;
}

/** From the record, because an execution that was terminated had windows in flight that nobody counted. */
async function countAnalysed(em: EntityManager, importId: string): Promise<number> {
  const { rows } = await sql<{ analysed: number }>`
    select count(*)::int as analysed from calls
    where agent_id = (select agent_id from imports where id = ${importId}) and import_id = ${importId}
      and state = 'analysed' and not reanalyse
  `.execute(em.getKysely());
  return rows[0]?.analysed ?? 0;
}

/**
 * Marks an import as running and fixes its window. An import that an earlier server lost goes on from the standing in
 * its row. Null when this try is over or is not the row's.
 */
export async function beginImport(
  em: EntityManager,
  request: ImportRequestKey,
): Promise<{ plan: Omit<ImportPlan, 'patience'>; standing: ImportStanding } | null> {
  const { rows } = await sql<ImportLine>`
    update imports set status = 'running', waits_for = null, updated_at = now(),
      started_at = coalesce(started_at, now()),
      window_to = coalesce(window_to, now()),
      window_from = case when window_from is null and imports.kind <> 'file'
        then now() - ${`${FIRST_REACH_DAYS} days`}::interval else window_from end
    from agents
    where imports.id = ${request.importId} and attempt = ${request.attempt} and ${unfinished}
      and agents.id = imports.agent_id
    returning imports.kind, provider, ${isoTime('window_from')} as "from", ${isoTime('window_to')} as "to",
      call_limit as "limit", cursor, listing_ended as "listingEnded", pages, listed, stored, unchanged,
      waiting, failed, ongoing, gone, ${isoTime('oldest_ongoing_at')} as "oldestOngoingAt"
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return null;
  const { listed, stored, unchanged, waiting, failed, ongoing, gone } = row;
  const analysed = row.pages === 0 ? 0 : Math.min(stored, await countAnalysed(em, request.importId));
  return {
    plan: {
      kind: row.kind,
      source: row.kind === 'file' || row.provider === 'file' ? 'file' : 'platform',
      from: row.from,
      to: row.to,
      limit: row.limit,
    },
    standing: {
      cursor: row.cursor,
      listingEnded: row.listingEnded,
      pages: row.pages,
      counts: { listed, stored, unchanged, analysed, waiting, failed, ongoing, gone },
      reasons: await failureReasons(em, request.importId),
      oldestOngoingAt: row.oldestOngoingAt,
    },
  };
}

/** Writes where an import stands. Figures are absolute, so a second delivery changes nothing; a finished import stays as it is. */
export async function saveImport(
  em: EntityManager,
  request: ImportRequestKey,
  now: { standing: ImportStanding; status: 'running' | 'paused'; waitsFor: string | null },
): Promise<void> {
  const { counts, ...standing } = now.standing;
  await em.transactional(async (within) => {
    const { rows } = await sql<{ agentId: string; isQuiet: boolean }>`
      update imports set status = ${now.status}, waits_for = ${now.waitsFor}, cursor = ${standing.cursor},
        listing_ended = ${standing.listingEnded}, pages = ${standing.pages}, listed = ${counts.listed},
        stored = ${counts.stored}, unchanged = ${counts.unchanged}, analysed = ${counts.analysed},
        waiting = ${counts.waiting}, failed = ${counts.failed}, ongoing = ${counts.ongoing}, gone = ${counts.gone},
        oldest_ongoing_at = ${standing.oldestOngoingAt}, stuck_since = ${stuckSince(now)}, updated_at = now()
      where id = ${request.importId} and attempt = ${request.attempt} and ${unfinished}
      returning agent_id as "agentId", ${quiet} as "isQuiet"
    `.execute(within.getKysely());
    const [row] = rows;
    if (row && !row.isQuiet)
      await noteEvent(within, { agentId: row.agentId, kind: 'import.progress', ref: request.importId });
  });
}

/** Between two waits an import asks again: only what it got further counts as an end of the waiting. */
function stuckSince({ standing, waitsFor }: { standing: ImportStanding; waitsFor: string | null }) {
  const { stored, unchanged, analysed, failed, gone } = standing.counts;
  const waits = waitsFor?.startsWith(WAITS_FOR_PLATFORM) ?? false;
  return sql`case
    when (pages, stored, unchanged, analysed, imports.failed, gone)
      is distinct from (${standing.pages}::int, ${stored}::int, ${unchanged}::int, ${analysed}::int, ${failed}::int, ${gone}::int)
      then case when ${waits} then now() end
    when ${waits} then coalesce(stuck_since, now())
    else stuck_since end`;
}

/**
 * Ends an import once. A complete one moves the agent's bookmark when its window joins what was polled before: not for
 * a window that begins later or that its limit cut short, which would leave a gap behind the bookmark.
 */
export async function finishImport(
  em: EntityManager,
  request: ImportRequestKey,
  end: { status: Extract<ImportStatus, 'complete' | 'failed' | 'cancelled'>; reason: string | null },
): Promise<void> {
  await em.transactional(async (within) => {
    const db = within.getKysely();
    const { rows } = await sql<{ agentId: string; kind: ImportKind; isQuiet: boolean; isShort: boolean }>`
      update imports set status = ${end.status}, reason = ${end.reason}, waits_for = null, stuck_since = null,
        finished_at = now(), updated_at = now()
      where id = ${request.importId} and attempt = ${request.attempt} and ${unfinished}
      returning agent_id as "agentId", kind, ${quiet} and ${end.status} = 'complete' as "isQuiet",
        attempt > 1 and analysed < stored as "isShort"
    `.execute(db);
    const [row] = rows;
    if (row?.isShort) await countAgain(within, request.importId);
    if (row && end.status === 'complete') await noteComplete(within, request.importId, row);
    // Issues that are due waited for it to end, or for its calls: one that cannot be read holds them up no more.
    if (row && row.kind !== 'poll') await orderGraceLook(within, row.agentId);
    else if (row && !row.isQuiet) await orderGraceLook(within, row.agentId, 'for analysis');
    // Last, because it keeps others of the workspace waiting until this transaction ends.
    if (row && !row.isQuiet)
      await noteEvent(within, { agentId: row.agentId, kind: 'import.finished', ref: request.importId });
  });
}

/** What an earlier try had in flight when it was lost may have been stored after this one began to count. */
async function countAgain(em: EntityManager, importId: string): Promise<void> {
  const analysed = await countAnalysed(em, importId);
  await sql`
    update imports set analysed = greatest(analysed, least(stored, ${analysed})) where id = ${importId}
  `.execute(em.getKysely());
}

async function noteComplete(
  em: EntityManager,
  importId: string,
  row: { agentId: string; kind: ImportKind },
): Promise<void> {
  const db = em.getKysely();
  if (row.kind === 'file') await sql`delete from uploaded_records where import_id = ${importId}`.execute(db);
  await sql`
    update agents set onboarding_step = 'done', updated_at = now() where id = ${row.agentId} and onboarding_step = 'importing'
  `.execute(db);
  if (row.kind === 'file') return;
  await sql`
    update agents set updated_at = now(), bookmark_at = greatest(bookmark_at, least(window_to,
      case when oldest_ongoing_at > now() - ${`${ONGOING_HOLDS_HOURS} hours`}::interval then oldest_ongoing_at end))
    from imports
    where imports.id = ${importId} and agents.id = imports.agent_id and (bookmark_at is null
      or (window_from <= bookmark_at and (call_limit is null or listed < call_limit)))
  `.execute(db);
}

/** The most frequent reasons for which records of an import were kept, with their counts. */
export async function failureReasons(em: EntityManager, importId: string): Promise<FailureReason[]> {
  const { rows } = await sql<FailureReason>`
    select reason, count(*)::int as calls from (
      select reason from import_failures where import_id = ${importId} and resolved_at is null
      union all
      select state_reason from calls where import_id = ${importId} and state = 'failed' and state_reason is not null
        and agent_id = (select agent_id from imports where id = ${importId})
    ) kept group by reason order by count(*) desc, reason limit ${REASONS_MAX}
  `.execute(em.getKysely());
  return rows;
}

/** Imports that no workflow may be working on: begun or ordered, unfinished, and untouched for a while. */
export async function quietImports(
  em: EntityManager,
  workspaceId: string,
  quietForSeconds: number,
): Promise<(ImportRequestKey & { agentId: string })[]> {
  const { rows } = await sql<ImportRequestKey & { agentId: string }>`
    select id as "importId", attempt, agent_id as "agentId" from imports
    where workspace_id = ${workspaceId} and ${unfinished} and updated_at < now() - ${`${quietForSeconds} seconds`}::interval
    order by created_at limit 1000
  `.execute(em.getKysely());
  return rows;
}

/** Whether a try of an import, named as its workflow, is ordered or going on. */
export async function isImportOpen(em: EntityManager, workflowId: string): Promise<boolean> {
  const [, importId, attempt] = /^import\/([0-9a-f-]{36})\/(\d+)$/.exec(workflowId) ?? [];
  if (importId === undefined) return false;
  const { rows } = await sql`
    select 1 from imports where id = ${importId}::uuid and attempt = ${Number(attempt)} and ${unfinished}
  `.execute(em.getKysely());
  return rows.length > 0;
}
