import { sql } from 'kysely';
import { type Platform, SENDING_PLATFORMS } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { hasWaitingCalls } from '../calls/conditions.ts';
import { storableText } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, listed, now, secondsSince } from '../expressions.ts';
import { moveBookmarks, UNFINISHED } from './imports.ts';
import { bookmarkOf, overlapping, type QuietPoll } from './polls.ts';

/** A first import that was refused is tried again at gaps that double between these. */
const FIRST_GAP_S = 2;
const LONGEST_GAP_S = 3_600;

/** An agent of an account whose next poll may begin. */
export interface PolledAgent {
  agentId: string;
  workspaceId: string;
  name: string;
  provider: Platform;
  providerAgentId: string;
  /** Until when its calls are known (ISO 8601). */
  bookmarkAt: string;
  /** Its platform told of calls that nobody has read since. */
  isAnnounced: boolean;
  /** Calls wait for their first analysis. */
  waits: boolean;
  versionMark: string | null;
  /** Null where no poll of the account has taken its versions. */
  versionsTakenAgoS: number | null;
  /** The time at which this was read. */
  nowAt: string;
}

/** Agents of a connection that have something to be polled from, and whose last poll is over. */
export function polledAgents(
  em: EntityManager,
  { connectionId, workspaceId }: { connectionId: string; workspaceId: string },
): Promise<PolledAgent[]> {
  return db(em)
    .selectFrom('agents')
    .where('connectionId', '=', connectionId)
    .where('workspaceId', '=', workspaceId)
    .where('erasing', '=', false)
    .where('provider', 'not in', SENDING_PLATFORMS)
    .where(bookmarkOf, 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('imports')
            .whereRef('imports.agentId', '=', 'agents.id')
            .where('imports.kind', '=', 'poll')
            .where('imports.status', 'in', UNFINISHED)
            .select('imports.id'),
        ),
      ),
    )
    .select(['id as agentId', 'workspaceId', 'name', 'provider', 'providerAgentId', 'versionMark', now.as('nowAt')])
    .select((eb) => [
      bookmarkOf(eb).as('bookmarkAt'),
      hasWaitingCalls(eb.ref('agents.id')).as('waits'),
      secondsSince(eb.ref('versionsTakenAt')).as('versionsTakenAgoS'),
      eb
        .exists(eb.selectFrom('announced_calls').whereRef('announced_calls.agentId', '=', 'agents.id').select('id'))
        .$castTo<boolean>()
        .as('isAnnounced'),
    ])
    .$narrowType<{ bookmarkAt: string }>()
    .orderBy('id')
    .execute();
}

/** The last import of an agent that was no poll is its first, and the platform refused it: there is nothing to poll from. */
export const refusedFirst = (em: EntityManager) =>
  db(em)
    .selectFrom('agents')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('imports')
          .whereRef('imports.agentId', '=', 'agents.id')
          .where('imports.kind', '<>', 'poll')
          .select(['imports.id as importId', 'imports.kind', 'imports.status', 'imports.refused'])
          .select(['imports.attempt', 'imports.finishedAt'])
          .orderBy('imports.createdAt', 'desc')
          .orderBy('imports.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .where('agents.erasing', '=', false)
    .where('agents.provider', 'not in', SENDING_PLATFORMS)
    .where('agents.bookmarkAt', 'is', null)
    .where('last.kind', '=', 'first')
    .where('last.status', '=', 'failed')
    .where('last.refused', '=', true);

export interface RefusedFirst extends Pick<PolledAgent, 'agentId' | 'workspaceId' | 'name' | 'provider'> {
  importId: string;
  /** The key was looked at since, or it has been so long since the last try that another is due. */
  isDue: boolean;
}

/** First imports of the agents of a connection that the platform refused. */
export function refusedFirstImports(
  em: EntityManager,
  { connectionId, workspaceId }: { connectionId: string; workspaceId: string },
): Promise<RefusedFirst[]> {
  return refusedFirst(em)
    .innerJoin('platform_connections as c', 'c.id', 'agents.connectionId')
    .where('agents.connectionId', '=', connectionId)
    .where('agents.workspaceId', '=', workspaceId)
    .select(['agents.id as agentId', 'agents.workspaceId', 'agents.name', 'agents.provider', 'last.importId'])
    .select(
      sql<boolean>`coalesce(c.checked_at > last.finished_at, false) or last.finished_at
        < now() - least(${LONGEST_GAP_S}, ${FIRST_GAP_S} * 2 ^ least(last.attempt, 20)) * interval '1 second'`.as(
        'isDue',
      ),
    )
    .orderBy('agents.id')
    .execute();
}

/** A call of an agent, by the platform's id. */
export interface AgentsCall {
  agentId: string;
  ref: string;
}

export const nameOf = ({ agentId, ref }: AgentsCall) => `${agentId} ${ref}`;

/** Which of these are known, by their `nameOf`: as calls, or as records that were kept with a reason. */
export async function knownCalls(
  em: EntityManager,
  calls: readonly AgentsCall[],
): Promise<Map<string, { failed: boolean }>> {
  if (calls.length === 0) return new Map();
  const asked = calls.map(({ agentId, ref }) => ({ agentId, ref: storableText(ref), given: ref }));
  const types = { agentId: 'uuid', ref: 'text', given: 'text' } as const;
  const rows = await db(em)
    .selectFrom(listed(asked, types))
    .innerJoin('calls as c', (join) =>
      join.onRef('c.agentId', '=', 'listed.agentId').onRef('c.providerCallId', '=', 'listed.ref'),
    )
    .select((eb) => ['listed.agentId', 'listed.given as ref', eb.lit(false).$castTo<boolean>().as('failed')])
    .unionAll((eb) =>
      eb
        .selectFrom(listed(asked, types))
        .innerJoin('import_failures as f', (join) =>
          join.onRef('f.agentId', '=', 'listed.agentId').onRef('f.ref', '=', 'listed.ref'),
        )
        .where('f.resolvedAt', 'is', null)
        .select((of) => ['listed.agentId', 'listed.given as ref', of.lit(true).$castTo<boolean>().as('failed')]),
    )
    .execute();
  return new Map(rows.map((row) => [nameOf(row), { failed: row.failed }]));
}

/**
 * Agents of which a known call came to one of these ages since their last poll, and is in the window that a poll would
 * list: it is to be read again.
 */
export async function agentsWithDueCalls(
  em: EntityManager,
  agents: readonly Pick<PolledAgent, 'agentId' | 'bookmarkAt'>[],
  agesMs: readonly number[],
): Promise<Set<string>> {
  const windows = agents.map(({ agentId, bookmarkAt }) => ({
    agentId,
    pollAt: bookmarkAt,
    fromAt: overlapping(bookmarkAt),
  }));
  const { rows } = await sql<{ agentId: string }>`
    select p.agent_id as "agentId"
    from unnest(${windows.map((one) => one.agentId)}::uuid[], ${windows.map((one) => one.pollAt)}::timestamptz[],
      ${windows.map((one) => one.fromAt)}::timestamptz[]) as p(agent_id, poll_at, from_at)
    where exists (
      select from unnest(${agesMs}::float8[]) as age(ms), calls c
      where c.agent_id = p.agent_id and not c.words_gone and (c.started_at is null or c.started_at >= p.from_at)
        and c.created_at > p.poll_at - age.ms * interval '1 ms' and c.created_at <= now() - age.ms * interval '1 ms'
    ) or exists (
      select from unnest(${agesMs}::float8[]) as age(ms), import_failures f
      where f.agent_id = p.agent_id and f.resolved_at is null and not f.is_skipped
        and f.created_at > p.poll_at - age.ms * interval '1 ms' and f.created_at <= now() - age.ms * interval '1 ms'
    )`.execute(db(em));
  return new Set(rows.map(({ agentId }) => agentId));
}

export interface QuietAgent extends QuietPoll {
  agentId: string;
}

/**
 * Notes polls that found nothing new, as `noteQuietPoll` does it for one agent: each leaves its row to the next, and the
 * bookmarks move. Agents of which a poll was opened meanwhile are left out.
 */
export async function noteQuietPolls(
  em: EntityManager,
  { workspaceId, to }: { workspaceId: string; to: string },
  quiet: readonly QuietAgent[],
): Promise<void> {
  if (quiet.length === 0) return;
  await em.transactional(async (within) => {
    const rows = await lockLastPolls(within, quiet);
    const noted = quiet.flatMap(({ agentId, ...seen }) => {
      const row = rows.get(agentId);
      if (!row || row.isOpen) return [];
      const importId = row.isQuiet && row.importId !== null ? row.importId : newId();
      return [
        { ...seen, agentId, importId, isNew: importId !== row.importId, windowFrom: overlapping(row.bookmarkAt) },
      ];
    });
    const made = noted.filter(({ isNew }) => isNew).map(({ importId: id, agentId }) => ({ id, agentId, workspaceId }));
    if (made.length > 0)
      await db(within)
        .insertInto('imports')
        .values(made.map((one) => ({ ...one, kind: 'poll' as const, attempt: 0 })))
        .execute();
    await completeQuiet(within, to, noted);
    await moveBookmarks(
      within,
      noted.map(({ importId }) => importId),
    );
  });
}

interface LastPoll {
  bookmarkAt: string;
  importId: string | null;
  isOpen: boolean;
  isQuiet: boolean;
}

/** The last polls of agents, which nobody else opens until the transaction ends. */
async function lockLastPolls(
  em: EntityManager,
  agents: readonly { agentId: string }[],
): Promise<Map<string, LastPoll>> {
  const locked = anyId(agents.map(({ agentId }) => agentId));
  // In a statement of its own: one that waited for the lock would still see the polls from before.
  await db(em).selectFrom('agents').where('id', '=', locked).select('id').orderBy('id').forUpdate().execute();
  const rows = await db(em)
    .selectFrom('agents')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('imports')
          .whereRef('imports.agentId', '=', 'agents.id')
          .where('imports.kind', '=', 'poll')
          .select(['imports.id as importId', 'imports.status', 'imports.stored', 'imports.failed'])
          .orderBy('imports.createdAt', 'desc')
          .orderBy('imports.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .where('agents.id', '=', locked)
    .where(bookmarkOf, 'is not', null)
    .select((eb) => ['agents.id as agentId', 'importId', 'status', 'stored', 'failed', bookmarkOf(eb).as('bookmarkAt')])
    .$narrowType<{ bookmarkAt: string }>()
    .execute();
  return new Map(
    rows.map(({ agentId, bookmarkAt, importId, status, stored, failed }) => {
      const isOpen = UNFINISHED.some((name) => name === status);
      return [agentId, { bookmarkAt, importId, isOpen, isQuiet: stored === 0 && failed === 0 }];
    }),
  );
}

/** Each row is another try of the agent's poll, which is over. */
async function completeQuiet(
  em: EntityManager,
  to: string,
  polls: readonly (QuietAgent & { importId: string; windowFrom: string })[],
): Promise<void> {
  const column = <Name extends keyof (typeof polls)[number]>(name: Name) => polls.map((poll) => poll[name]);
  await sql`
    update imports i set status = 'complete', attempt = i.attempt + 1, window_from = p.window_from, window_to = ${to},
      cursor = null, listing_ended = true, pages = p.pages, listed = p.listed, still_failed = p.still_failed,
      unchanged = p.listed - p.ongoing - p.still_failed, stored = 0, analysed = 0, waiting = 0, failed = 0, gone = 0, ongoing = p.ongoing,
      oldest_ongoing_at = p.oldest_ongoing_at, waits_for = null, reason = null, started_at = ${to},
      finished_at = now(), updated_at = now()
    from unnest(${column('importId')}::uuid[], ${column('windowFrom')}::timestamptz[], ${column('pages')}::int[],
      ${column('listed')}::int[], ${column('stillFailed')}::int[], ${column('ongoing')}::int[],
      ${column('oldestOngoingAt')}::timestamptz[])
      as p(id, window_from, pages, listed, still_failed, ongoing, oldest_ongoing_at)
    where i.id = p.id`.execute(db(em));
}

/** The poll of the account has taken the versions of an agent, as the platform showed them by this mark. */
export async function noteVersionsTaken(em: EntityManager, agentId: string, mark: string | null): Promise<void> {
  await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .set({ versionMark: mark, versionsTakenAt: now })
    .execute();
}
