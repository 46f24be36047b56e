import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import type { Row } from '../tables.ts';

/** Whose views of which agent. */
export interface ViewsOwner {
  agentId: string;
  personId: string;
}

export type ViewName = ViewsOwner & Pick<Row<'saved_views'>, 'page' | 'name'>;
export type SavedViewRow = Pick<Row<'saved_views'>, 'page' | 'name' | 'query' | 'createdAt' | 'updatedAt'>;

export async function readViews(em: EntityManager, { agentId, personId }: ViewsOwner): Promise<SavedViewRow[]> {
  return db(em)
    .selectFrom('saved_views')
    .where((eb) => eb.and({ agentId, personId }))
    .select(['page', 'name', 'query', 'createdAt', 'updatedAt'])
    .orderBy('page')
    .orderBy('name')
    .execute();
}

/** A name that is taken stands for the new query. */
export async function upsertView(
  em: EntityManager,
  { agentId, personId, page, name }: ViewName,
  { workspaceId, query }: { workspaceId: string; query: string },
): Promise<void> {
  await db(em)
    .insertInto('saved_views')
    .values({ agentId, personId, page, name, workspaceId, query })
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'personId', 'page', 'name']).doUpdateSet({ query, updatedAt: now }),
    )
    .execute();
}

export async function deleteView(em: EntityManager, { agentId, personId, page, name }: ViewName): Promise<void> {
  await db(em)
    .deleteFrom('saved_views')
    .where((eb) => eb.and({ agentId, personId, page, name }))
    .execute();
}

/** All that a person keeps in the workspace in scope. */
export async function deleteViewsOf(em: EntityManager, personId: string): Promise<void> {
  await db(em).deleteFrom('saved_views').where('personId', '=', personId).execute();
}
