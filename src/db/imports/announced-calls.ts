import { sql } from 'kysely';
import type { Platform } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { storableText } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, anyText, listed, now } from '../expressions.ts';
import { refusedFirst } from './account-polls.ts';

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
  const agent = await followed(em, connectionId)
    .where('providerAgentId', '=', anyText(ids))
    .orderBy((eb) => eb.fn('array_position', [eb.cast(eb.val(ids), sql`text[]`), 'providerAgentId']))
    .limit(1)
    .executeTakeFirst();
  return agent ?? null;
}

/** Whether calls of an agent of a connection are followed, or will be once the key answers. */
export async function hasFollowedAgents(em: EntityManager, connectionId: string): Promise<boolean> {
  const agent = followed(em, connectionId).where('readOnly', '=', false).limit(1);
  const refused = refusedFirst(em).where('agents.connectionId', '=', connectionId).select('agents.id').limit(1);
  return ((await agent.executeTakeFirst()) ?? (await refused.executeTakeFirst())) !== undefined;
}

const followed = (em: EntityManager, connectionId: string) =>
  db(em)
    .selectFrom('agents')
    .where('connectionId', '=', connectionId)
    .where('bookmarkAt', 'is not', null)
    .select(['id as agentId', 'workspaceId', 'name', 'provider']);

interface Told {
  workspaceId: string;
  agentId: string;
  providerCallId: string;
  digest: string;
}

/** Notes that a platform announced a call. @returns false when this very event is noted already. */
export async function noteAnnounced(
  em: EntityManager,
  { workspaceId, agentId, providerCallId, digest }: Told,
): Promise<boolean> {
  const noted = await db(em)
    .insertInto('announced_calls')
    .values({ id: newId(), workspaceId, agentId, providerCallId: storableText(providerCallId), digest })
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'providerCallId'])
        .doUpdateSet({ digest, toldAt: now })
        .where('announced_calls.digest', '<>', digest),
    )
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Calls that the platform announced and nobody has read since, oldest first. */
export function announcedCalls(em: EntityManager, agentId: string): Promise<{ ref: string; digest: string }[]> {
  return db(em)
    .selectFrom('announced_calls')
    .where('agentId', '=', agentId)
    .select(['providerCallId as ref', 'digest'])
    .orderBy('toldAt')
    .orderBy('id')
    .limit(TOLD_AT_ONCE)
    .execute();
}

/** What was read is forgotten, unless the platform announced it anew meanwhile; what still goes on stays for a day. */
export async function forgetAnnounced(
  em: EntityManager,
  agentId: string,
  announced: readonly { ref: string; digest: string; isRead: boolean }[],
): Promise<void> {
  if (announced.length === 0) return;
  await db(em)
    .deleteFrom('announced_calls as t')
    .using(listed(announced, { ref: 'text', digest: 'text', isRead: 'boolean' }))
    .where('t.agentId', '=', agentId)
    .whereRef('t.providerCallId', '=', 'listed.ref')
    .whereRef('t.digest', '=', 'listed.digest')
    .where((eb) => eb.or([eb('listed.isRead', '=', true), eb('t.toldAt', '<', ago(TOLD_HOLDS_HOURS, 'hours'))]))
    .execute();
}
