import type { ConnectionStatus, Platform } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { limitedForMs } from './limits.ts';

/** A platform account, as its poller reaches it. The key is still sealed. */
export interface PolledAccount {
  connectionId: string;
  workspaceId: string;
  platform: Platform;
  baseUrl: string | null;
  sealedKey: string | null;
  connectionStatus: ConnectionStatus;
  limitedForMs: number;
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
    .select(['c.status as connectionStatus', limitedForMs.as('limitedForMs')])
    .executeTakeFirst();
  return row ?? null;
}

/** Connections of a workspace whose agents are polled, each with its platform. */
export function accountsToPoll(
  em: EntityManager,
  workspaceId: string,
): Promise<{ connectionId: string; platform: Platform }[]> {
  return db(em)
    .selectFrom('platform_connections as c')
    .innerJoin('agents as a', 'a.connectionId', 'c.id')
    .where('c.workspaceId', '=', workspaceId)
    .where('a.workspaceId', '=', workspaceId)
    .where('a.erasing', '=', false)
    .where('a.bookmarkAt', 'is not', null)
    .select(['c.id as connectionId', 'c.platform'])
    .distinct()
    .execute();
}
