import { sql } from 'kysely';
import { SENDING_PLATFORMS } from '../../domain/vocabulary.ts';
import type { LookBack } from '../../temporal/account-poller.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { PolledAgent } from './account-polls.ts';
import { FIRST_REACH_DAYS } from './imports.ts';
import { overlapping } from './polls.ts';

/** An agent whose calls are followed, and the times between which a look back is for it (ISO 8601). */
export interface FollowedAgent
  extends Pick<PolledAgent, 'agentId' | 'workspaceId' | 'name' | 'provider' | 'providerAgentId'> {
  since: string;
  /** Where the window of its next poll begins. */
  until: string;
}

const DAYS = { day: 1, reach: FIRST_REACH_DAYS } as const;

/**
 * Agents of a connection with a bookmark. None is looked back for further than its imports reach: to where one began
 * that took all, else to the oldest call that they left room for.
 */
export async function followedAgents(
  em: EntityManager,
  { connectionId, workspaceId }: { connectionId: string; workspaceId: string },
  depth: LookBack['depth'],
): Promise<FollowedAgent[]> {
  const rows = await db(em)
    .selectFrom('agents')
    .where('connectionId', '=', connectionId)
    .where('workspaceId', '=', workspaceId)
    .where('erasing', '=', false)
    .where('provider', 'not in', SENDING_PLATFORMS)
    .where('bookmarkAt', 'is not', null)
    .select(['id as agentId', 'workspaceId', 'name', 'provider', 'providerAgentId', 'bookmarkAt'])
    .select(
      sql<string>`greatest(now() - ${DAYS[depth]} * interval '1 day', coalesce(
        (select min(i.window_from) from imports i where i.agent_id = agents.id and i.kind in ('first', 'manual')
          and i.status = 'complete' and (i.call_limit is null or i.listed < i.call_limit)),
        (select c.started_at from calls c where c.agent_id = agents.id and c.state = 'analysed'
          and c.started_at is not null order by c.sort_at limit 1),
        bookmark_at))`.as('since'),
    )
    .$narrowType<{ bookmarkAt: string }>()
    .orderBy('id')
    .execute();
  return rows.map(({ bookmarkAt, ...agent }) => ({ ...agent, until: overlapping(bookmarkAt) }));
}
