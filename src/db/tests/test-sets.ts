import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

/** A named choice of tests, in the order in which they are played. */
export type TestSetView = Omit<Row<'test_sets'>, 'workspaceId'>;

const views = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .selectFrom('test_sets')
    .where('agentId', '=', anyAgent(scope))
    .select(['id', 'agentId', 'name', 'testIds', 'createdBy', 'createdAt', 'updatedAt']);

export async function findTestSet(em: EntityManager, scope: ReadScope, testSetId: string): Promise<TestSetView | null> {
  return (await views(em, scope).where('id', '=', testSetId).executeTakeFirst()) ?? null;
}

export async function findSetByName(em: EntityManager, scope: ReadScope, name: string): Promise<TestSetView | null> {
  return (await views(em, scope).where('name', '=', name).orderBy('createdAt').limit(1).executeTakeFirst()) ?? null;
}

/** Newest first; the order never changes. */
export function listTestSets(em: EntityManager, scope: ReadScope, page: ListPage): Promise<TestSetView[]> {
  const sets = views(em, scope);
  return newestFirst(sets, ['createdAt', 'id'], page).execute();
}

export async function insertTestSet(
  em: EntityManager,
  made: { workspaceId: string; agentId: string; name: string; testIds: readonly string[]; createdBy: string },
): Promise<string> {
  const id = newId();
  const { workspaceId, agentId, name, testIds, createdBy } = made;
  await db(em)
    .insertInto('test_sets')
    .values({ id, workspaceId, agentId, name, testIds: [...testIds], createdBy })
    .execute();
  return id;
}

export async function updateTestSet(
  em: EntityManager,
  set: TestSetView,
  { name, testIds }: { name: string; testIds: readonly string[] },
): Promise<void> {
  await db(em)
    .updateTable('test_sets')
    .where('id', '=', set.id)
    .where('agentId', '=', set.agentId)
    .set({ name, testIds: [...testIds], updatedAt: now })
    .execute();
}

/** Its tests stay; runs that played it keep its id. */
export async function deleteTestSet(em: EntityManager, set: TestSetView): Promise<void> {
  await db(em).deleteFrom('test_sets').where('id', '=', set.id).where('agentId', '=', set.agentId).execute();
}
