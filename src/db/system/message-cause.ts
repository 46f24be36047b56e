import type { MessageCause } from '../../domain/messages/compose.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** On whose behalf a workspace sends something, by the person who had it do so. */
export async function findCause(
  em: EntityManager,
  { workspaceId, personId, isOwn }: { workspaceId: string; personId: string; isOwn: boolean },
): Promise<MessageCause> {
  const { workspaceName, name, email, provedAt } = await db(em)
    .selectFrom('workspaces as w')
    .leftJoin('people as p', (join) => join.on('p.id', '=', personId))
    .where('w.id', '=', workspaceId)
    .select(['w.name as workspaceName', 'p.name', 'p.email', 'p.provedAt'])
    .executeTakeFirstOrThrow();
  const by = name === null || email === null ? null : { name, email, emailVerified: provedAt !== null };
  return { workspaceName, by, isOwn };
}
