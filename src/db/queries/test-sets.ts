import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { ofAgents, type ReadScope } from './read-scope.ts';

/** A named choice of tests, in the order in which they are played. */
export interface TestSetView {
  id: string;
  agentId: string;
  name: string;
  testIds: string[];
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

const columns = sql`id, agent_id as "agentId", name, test_ids as "testIds", created_by as "createdBy",
  created_at as "createdAt", updated_at as "updatedAt"`;
const toView = (row: TestSetView): TestSetView => ({
  ...row,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
});

export async function findTestSet(em: EntityManager, scope: ReadScope, testSetId: string): Promise<TestSetView | null> {
  const { rows } = await sql<TestSetView>`
    select ${columns} from test_sets where id = ${testSetId} and ${ofAgents('agent_id', scope)}`.execute(
    em.getKysely(),
  );
  return rows[0] ? toView(rows[0]) : null;
}

/** Newest first; the order never changes. */
export async function listTestSets(
  em: EntityManager,
  scope: ReadScope,
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<TestSetView[]> {
  const after = page.after
    ? sql`and (created_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<TestSetView>`
    select ${columns} from test_sets where ${ofAgents('agent_id', scope)} ${after}
    order by created_at desc, id desc limit ${page.limit + 1}`.execute(em.getKysely());
  return rows.map(toView);
}

export async function insertTestSet(
  em: EntityManager,
  made: { workspaceId: string; agentId: string; name: string; testIds: readonly string[]; createdBy: string },
): Promise<string> {
  const id = newId();
  await sql`
    insert into test_sets (id, workspace_id, agent_id, name, test_ids, created_by)
    values (${id}, ${made.workspaceId}, ${made.agentId}, ${made.name}, ${[...made.testIds]}::uuid[], ${made.createdBy})
  `.execute(em.getKysely());
  return id;
}

export async function updateTestSet(
  em: EntityManager,
  set: TestSetView,
  changed: { name: string; testIds: readonly string[] },
): Promise<void> {
  await sql`
    update test_sets set name = ${changed.name}, test_ids = ${[...changed.testIds]}::uuid[], updated_at = now()
    where id = ${set.id} and agent_id = ${set.agentId}`.execute(em.getKysely());
}

/** Its tests stay; runs that played it keep its id. */
export async function deleteTestSet(em: EntityManager, set: TestSetView): Promise<void> {
  await sql`delete from test_sets where id = ${set.id} and agent_id = ${set.agentId}`.execute(em.getKysely());
}
