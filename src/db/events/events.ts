import { type Expression, sql } from 'kysely';
import type { WorkspaceEventKind } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { executePlanned, findPlanned } from '../planned.ts';
import { enqueueOfIssues } from '../webhooks/issue-deliveries.ts';

/** Carries the id of the workspace in which something changed. */
export const EVENTS_CHANNEL = 'workspace_events';

export interface WorkspaceEvent {
  id: string;
  agentId: string | null;
  kind: WorkspaceEventKind;
  ref: string | null;
  createdAt: string;
}

/** What is to be noted; `ref` is the id of what changed, or null where the kind and the agent say it. */
export interface NewEvent {
  kind: WorkspaceEventKind;
  ref: string | null;
}

export function publishEvent(em: EntityManager, event: NewEvent & { agentId: string }): Promise<void> {
  return publishEvents(em, event.agentId, [event]);
}

/**
 * Publishes what changed, within the transaction that changes it; listeners hear of it when that commits. Whoever does
 * holds the workspace's counter until then, so that numbers become visible in order and a reader that goes on after the
 * last one it saw misses none. Call it last, because others of the workspace wait. Addresses that want to hear of issues
 * get their deliveries with it. Of the oldest, what is over a day old goes as new ones come.
 */
export async function publishEvents(em: EntityManager, agentId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await enqueueOfIssues(em, agentId, events);
  const agent = await db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .select((eb) => ['workspaceId', lock(eb.ref('workspaceId')).as('held')])
    .executeTakeFirst();
  const workspaceId = agent?.workspaceId;
  if (workspaceId !== undefined) await note(em, { workspaceId, agentId }, events);
}

/** The same for what belongs to a workspace, or to an agent that is not known to be there. */
export async function publishWorkspaceEvent(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string | null },
  event: NewEvent,
): Promise<void> {
  await db(em)
    .selectNoFrom((eb) => lock(eb.cast(eb.val(owner.workspaceId), 'text')).as('held'))
    .execute();
  await note(em, owner, [event]);
}

const lock = (workspaceId: Expression<unknown>) =>
  sql`pg_advisory_xact_lock(hashtextextended('workspace_events ' || ${workspaceId}, 0))`;

/** A statement of its own: it must see what was committed while the lock was waited for. */
async function note(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string | null },
  events: readonly NewEvent[],
): Promise<void> {
  await executePlanned(
    em,
    sql`
    with noted as (
      insert into workspace_events (workspace_id, id, agent_id, kind, ref)
      select ${workspaceId}::uuid, newest.id + e.at, ${agentId}::uuid, e.kind, e.ref
      from (select coalesce(max(id), 0) as id from workspace_events where workspace_id = ${workspaceId}) newest,
        unnest(${events.map(({ kind }) => kind)}::text[], ${events.map(({ ref }) => ref)}::uuid[])
          with ordinality as e(kind, ref, at)
    ), gone as (
      delete from workspace_events e using (
        select id, created_at from workspace_events where workspace_id = ${workspaceId} order by id limit 50
      ) oldest
      where e.workspace_id = ${workspaceId} and e.id = oldest.id and oldest.created_at < now() - interval '1 day'
    )
    select pg_notify(${EVENTS_CHANNEL}, ${workspaceId})`,
  );
}

/** So many of the newest events are searched for what was noted a moment ago. */
const LOOKED_BACK = 200;

/** Notes that a run moved on, unless that was noted within the last 400 milliseconds: a busy run is told of a few times a second. */
export async function publishRunProgress(em: EntityManager, agentId: string, runId: string): Promise<void> {
  const told = db(em)
    .selectFrom('agents as a')
    .innerJoin('workspace_events as e', 'e.workspaceId', 'a.workspaceId')
    .where('a.id', '=', agentId)
    .where('e.kind', '=', 'run.changed')
    .where('e.ref', '=', runId)
    .where('e.createdAt', '>', sql<string>`clock_timestamp() - interval '400 milliseconds'`)
    .where('e.id', '>', (eb) =>
      eb
        .selectFrom('workspace_events as n')
        .whereRef('n.workspaceId', '=', 'a.workspaceId')
        .select(({ fn, val }) => eb(fn.coalesce(fn.max('n.id'), val(0)), '-', LOOKED_BACK).as('from')),
    )
    .select('e.id')
    .limit(1);
  if ((await findPlanned(em, told)) === null) await publishEvent(em, { agentId, kind: 'run.changed', ref: runId });
}

/** Events after a number, oldest first. */
export async function readEvents(
  em: EntityManager,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<WorkspaceEvent[]> {
  const events = await db(em)
    .selectFrom('workspace_events')
    .where('workspaceId', '=', workspaceId)
    .where('id', '>', Number(after))
    .select(['id', 'agentId', 'kind', 'ref', 'createdAt'])
    .orderBy('id')
    .limit(limit)
    .execute();
  return events.map(({ id, ...event }) => ({ id: String(id), ...event }));
}

/** Numbers of the oldest and the newest event that are kept; 0 where there is none. */
export async function eventBounds(em: EntityManager, workspaceId: string): Promise<{ oldest: string; newest: string }> {
  const { oldest, newest } = await db(em)
    .selectFrom('workspace_events')
    .where('workspaceId', '=', workspaceId)
    .select((eb) => [eb.fn.min('id').as('oldest'), eb.fn.max('id').as('newest')])
    .executeTakeFirstOrThrow();
  return { oldest: String(oldest ?? 0), newest: String(newest ?? 0) };
}
