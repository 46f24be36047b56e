import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Keys and tokens that reach an agent alone end, and nothing more is asked of its workflows. */
export async function shutAgent(em: EntityManager, agentId: string): Promise<void> {
  await db(em).deleteFrom('api_keys').where('agentId', '=', agentId).execute();
  await db(em).deleteFrom('ingest_tokens').where('agentId', '=', agentId).execute();
  await db(em).deleteFrom('outbox_entries').where('agentId', '=', agentId).execute();
}

/** Nobody and nothing comes in any more. */
export async function shutWorkspace(em: EntityManager, workspaceId: string): Promise<void> {
  const doors = [
    'sessions',
    'one_time_links',
    'invitations',
    'api_keys',
    'ingest_tokens',
    'hook_addresses',
    'outbox_entries',
  ] as const;
  for (const table of doors) await db(em).deleteFrom(table).where('workspaceId', '=', workspaceId).execute();
  const left = await db(em)
    .deleteFrom('memberships')
    .where('workspaceId', '=', workspaceId)
    .returning('personId')
    .execute();
  await forgetPeople(
    em,
    workspaceId,
    left.map(({ personId }) => personId),
  );
}

/**
 * Those who belong nowhere any more, and are invited nowhere. Who made a workspace that stays is kept: it counts for the
 * account, which would come back under another id.
 */
async function forgetPeople(em: EntityManager, workspaceId: string, personIds: readonly string[]): Promise<void> {
  if (personIds.length === 0) return;
  const gone = await db(em)
    .deleteFrom('people as p')
    .where('p.id', 'in', [...personIds])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('memberships as m').whereRef('m.personId', '=', 'p.id').select('m.personId'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('one_time_links as l').whereRef('l.personId', '=', 'p.id').select('l.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workspaces as w')
            .whereRef('w.madeBy', '=', 'p.id')
            .where('w.id', '<>', workspaceId)
            .select('w.id'),
        ),
      ),
    )
    .returning('p.id')
    .execute();
  if (gone.length === 0) return;
  const ids = gone.map(({ id }) => id);
  await db(em).deleteFrom('identities').where('personId', 'in', ids).execute();
}

/** The workspace itself, at last, with what was still asked of workflows. */
export async function eraseWorkspaceItself(em: EntityManager, workspaceId: string): Promise<void> {
  await db(em).deleteFrom('outbox_entries').where('workspaceId', '=', workspaceId).execute();
  const gone = await db(em).deleteFrom('workspaces').where('id', '=', workspaceId).returning('madeBy').execute();
  const makers = gone.flatMap(({ madeBy }) => madeBy ?? []);
  await forgetPeople(em, workspaceId, makers);
}
