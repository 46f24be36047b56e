import { sql } from 'kysely';
import type { Platform } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { storableText } from '../convert.ts';
import type { EntityManager } from '../database.ts';

/** Read at one poll; more stay for the next. */
export const TOLD_AT_ONCE = 100;
/** A call that its platform still calls ongoing is asked for no longer than this. */
const TOLD_HOLDS_HOURS = 24;

export interface FollowedAgent {
  agentId: string;
  workspaceId: string;
  name: string;
  provider: Platform;
}

/** The first of these agents of a connection whose calls are followed: imported once, so that there is something to go on from. */
export async function followedAgent(
  em: EntityManager,
  connectionId: string,
  providerAgentIds: readonly string[],
): Promise<FollowedAgent | null> {
  const ids = providerAgentIds.map(storableText);
  const { rows } = await sql<FollowedAgent>`
    select id as "agentId", workspace_id as "workspaceId", name, provider from agents
    where connection_id = ${connectionId} and provider_agent_id = any(${ids}::text[]) and bookmark_at is not null
    order by array_position(${ids}::text[], provider_agent_id) limit 1
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Every agent of a connection whose calls are followed. */
export async function followedAgents(em: EntityManager, connectionId: string): Promise<FollowedAgent[]> {
  const { rows } = await sql<FollowedAgent>`
    select id as "agentId", workspace_id as "workspaceId", name, provider from agents
    where connection_id = ${connectionId} and bookmark_at is not null and not read_only order by id
  `.execute(em.getKysely());
  return rows;
}

/** Notes that a platform told of a call. @returns false when this very event is noted already. */
export async function noteTold(
  em: EntityManager,
  told: { workspaceId: string; agentId: string; providerCallId: string; digest: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into told_calls (id, workspace_id, agent_id, provider_call_id, digest)
    values (${newId()}, ${told.workspaceId}, ${told.agentId}, ${storableText(told.providerCallId)}, ${told.digest})
    on conflict (agent_id, provider_call_id) do update set digest = excluded.digest, told_at = now()
      where told_calls.digest <> excluded.digest
    returning id
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** Calls that the platform told of and nobody has read since, oldest first. */
export async function toldCalls(em: EntityManager, agentId: string): Promise<{ ref: string; digest: string }[]> {
  const { rows } = await sql<{ ref: string; digest: string }>`
    select provider_call_id as ref, digest from told_calls where agent_id = ${agentId}
    order by told_at, id limit ${TOLD_AT_ONCE}
  `.execute(em.getKysely());
  return rows;
}

/** What was read is forgotten, unless the platform told of it anew meanwhile; what still goes on stays for a day. */
export async function forgetTold(
  em: EntityManager,
  agentId: string,
  told: readonly { ref: string; digest: string; isRead: boolean }[],
): Promise<void> {
  if (told.length === 0) return;
  await sql`
    delete from told_calls t
    using unnest(${told.map(({ ref }) => ref)}::text[], ${told.map(({ digest }) => digest)}::text[],
      ${told.map(({ isRead }) => isRead)}::boolean[]) as done(ref, digest, is_read)
    where t.agent_id = ${agentId} and t.provider_call_id = done.ref and t.digest = done.digest
      and (done.is_read or t.told_at < now() - ${`${TOLD_HOLDS_HOURS} hours`}::interval)
  `.execute(em.getKysely());
}
