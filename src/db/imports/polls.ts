import type { ExpressionBuilder } from 'kysely';
import { SENDING_PLATFORMS } from '../../domain/vocabulary.ts';
import type { ImportRequest } from '../../temporal/agent-coordinator.ts';
import { NO_COUNTS } from '../../temporal/import-calls.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import type { Tables } from '../tables.ts';
import { createImport, isQuiet, noteComplete, openImports, openTry, UNFINISHED } from './imports.ts';

/** How much the window of a poll overlaps the one before. */
export const POLL_OVERLAP_MS = 2 * 60 * 60 * 1000;

/** From the bookmark, less an overlap, until now (ISO 8601). */
export interface PollWindow {
  from: string;
  to: string;
}

/** What the next poll would look at, or null when there is nothing to poll from yet. */
export async function pollWindow(em: EntityManager, agentId: string): Promise<PollWindow | null> {
  const row = await polledAgent(em, agentId).select(now.as('to')).executeTakeFirst();
  return row ? { from: overlapping(row.bookmarkAt), to: row.to } : null;
}

/** Until something was polled or imported, polls begin where the window of the first import ends that goes on. */
const polledAgent = (em: EntityManager, agentId: string) =>
  db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .where(bookmarkOf, 'is not', null)
    .where('provider', 'not in', SENDING_PLATFORMS)
    .select((eb) => ['workspaceId', bookmarkOf(eb).as('bookmarkAt')])
    .$narrowType<{ bookmarkAt: string }>();

export const bookmarkOf = (eb: ExpressionBuilder<Tables, 'agents'>) =>
  eb.fn.coalesce(
    'agents.bookmarkAt',
    eb
      .selectFrom('imports')
      .whereRef('imports.agentId', '=', 'agents.id')
      .where('imports.kind', '=', 'first')
      .where('imports.status', 'in', UNFINISHED)
      .select((of) => of.fn.min('imports.windowTo').as('windowTo')),
  );

export interface OtherImport {
  importId: string;
  stored: number;
  analysed: number;
  waitsFor: string | null;
}

/** What goes on beside the polls of an agent. */
export function importsBesidePolls(em: EntityManager, agentId: string): Promise<OtherImport[]> {
  const others = openImports(em, agentId).where('kind', '<>', 'poll');
  return others.select(['id as importId', 'stored', 'analysed', 'waitsFor']).execute();
}

export const overlapping = (bookmarkAt: string) => new Date(Date.parse(bookmarkAt) - POLL_OVERLAP_MS).toISOString();

/** What a poll saw that found nothing new. */
export interface QuietPoll {
  pages: number;
  listed: number;
  stillFailed: number;
  ongoing: number;
  oldestOngoingAt: string | null;
}

/** Notes a poll that found nothing new, and moves the bookmark as any other does; nothing while another poll is open. */
export async function noteQuietPoll(
  em: EntityManager,
  agentId: string,
  { from, to }: PollWindow,
  seen: QuietPoll,
): Promise<void> {
  await em.transactional(async (within) => {
    const request = await takePollImport(within, agentId);
    if (request === null) return;
    await openTry(within, request)
      .set({ ...seen, unchanged: seen.listed - seen.ongoing - seen.stillFailed, listingEnded: true })
      .set({ status: 'complete', windowFrom: from, windowTo: to, startedAt: to, finishedAt: now, updatedAt: now })
      .execute();
    await noteComplete(within, request.importId, { agentId, kind: 'poll' });
  });
}

/**
 * The row of the next poll, or null when there is nothing to poll from yet or a poll is still open. A poll that found nothing new leaves its row to the next one, so that quiet minutes cost one row.
 */
export async function takePollImport(em: EntityManager, agentId: string): Promise<ImportRequest | null> {
  return em.transactional(async (within) => {
    const agent = await polledAgent(within, agentId).forUpdate().executeTakeFirst();
    if (!agent) return null;
    const windowFrom = overlapping(agent.bookmarkAt);
    const last = await db(within)
      .selectFrom('imports')
      .where('agentId', '=', agentId)
      .where('kind', '=', 'poll')
      .select(['id', 'attempt', 'status', 'kind', 'stored', 'failed'])
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last && UNFINISHED.some((status) => status === last.status)) return null;
    if (last && isQuiet(last)) {
      const attempt = last.attempt + 1;
      await db(within)
        .updateTable('imports')
        .where('id', '=', last.id)
        .set({ ...FRESH, attempt, windowFrom, updatedAt: now })
        .execute();
      return { importId: last.id, attempt, lane: 'live' };
    }
    return createImport(within, {
      workspaceId: agent.workspaceId,
      agentId,
      kind: 'poll',
      limit: null,
      from: windowFrom,
    });
  });
}

/** What an import is before anything was listed. */
const FRESH = {
  status: 'queued',
  windowTo: null,
  cursor: null,
  listingEnded: false,
  pages: 0,
  ...NO_COUNTS,
  oldestOngoingAt: null,
  waitsFor: null,
  reason: null,
  startedAt: null,
  finishedAt: null,
} as const;
