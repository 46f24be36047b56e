import { type ConnectionStatus, type Platform, SENDING_PLATFORMS } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { refusedFirst } from '../imports/account-polls.ts';
import { bookmarkOf } from '../imports/polls.ts';
import { type AccountLimit, limitedForMs, liveLimitedForMs } from './limits.ts';

/** A platform account, as its poller reaches it. The key is still sealed. */
export interface PolledAccount extends AccountLimit {
  connectionId: string;
  workspaceId: string;
  platform: Platform;
  baseUrl: string | null;
  sealedKey: string | null;
  connectionStatus: ConnectionStatus;
}

/** Null where the connection or the last of its agents is gone. */
export async function loadAccount(em: EntityManager, connectionId: string): Promise<PolledAccount | null> {
  const row = await db(em)
    .selectFrom('platform_connections as c')
    .where('c.id', '=', connectionId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('agents as a')
          .whereRef('a.workspaceId', '=', 'c.workspaceId')
          .whereRef('a.connectionId', '=', 'c.id')
          .where('a.erasing', '=', false)
          .select('a.id'),
      ),
    )
    .select(['c.id as connectionId', 'c.workspaceId', 'c.platform', 'c.baseUrl', 'c.sealedKey'])
    .select(['c.status as connectionStatus', limitedForMs.as('limitedForMs'), liveLimitedForMs.as('liveLimitedForMs')])
    .executeTakeFirst();
  return row ?? null;
}

/** Connections of a workspace with agents to poll, or to import from once the key answers, each with its platform. */
export function accountsToPoll(
  em: EntityManager,
  workspaceId: string,
): Promise<{ connectionId: string; platform: Platform }[]> {
  const refused = refusedFirst(em).select('agents.id');
  return db(em)
    .selectFrom('agents')
    .where('workspaceId', '=', workspaceId)
    .where('erasing', '=', false)
    .where('connectionId', 'is not', null)
    .where('provider', 'not in', SENDING_PLATFORMS)
    .where((eb) => eb.or([eb(bookmarkOf(eb), 'is not', null), eb('agents.id', 'in', refused)]))
    .select(['connectionId', 'provider as platform'])
    .$narrowType<{ connectionId: string }>()
    .distinct()
    .execute();
}
