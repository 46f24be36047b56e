import type { TestSpec } from '../../domain/tests/spec.ts';
import type { Lane, TestExpectation } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import type { Row } from '../tables.ts';
import { countTests, insertRevision, type TestView } from './tests.ts';

/**
 * Stores the next revision where `revision` is still the newest one.
 * @returns whether it was.
 */
export async function replaceSpec(
  em: EntityManager,
  test: TestView,
  next: { revision: number; spec: TestSpec; createdBy: string; gates: boolean; gateReason: string },
): Promise<boolean> {
  const row = await db(em)
    .updateTable('tests')
    .where('id', '=', test.id)
    .where('agentId', '=', test.agentId)
    .where('revision', '=', next.revision)
    .set((eb) => ({
      revision: eb('revision', '+', 1),
      gates: next.gates,
      gateReason: next.gateReason,
      updatedAt: now,
    }))
    .returning('revision')
    .executeTakeFirst();
  if (!row) return false;
  const { workspaceId, agentId, id: testId } = test;
  await insertRevision(em, {
    workspaceId,
    agentId,
    testId,
    revision: row.revision,
    spec: next.spec,
    createdBy: next.createdBy,
  });
  return true;
}

export interface TestChange {
  title: string;
  lane: Lane | null;
  expect: TestExpectation;
  guard: boolean;
  gates: boolean;
  gateReason: string;
  archived: boolean;
}

/** Writes what a person may change; the agent's count follows what is archived and what comes back. */
export async function updateTest(em: EntityManager, test: TestView, set: TestChange): Promise<void> {
  const { archived, title, lane, expect, guard, gates, gateReason } = set;
  const before = await db(em)
    .selectFrom('tests')
    .where('id', '=', test.id)
    .where('agentId', '=', test.agentId)
    .select('archivedAt')
    .forUpdate()
    .executeTakeFirst();
  if (!before) return;
  await db(em)
    .updateTable('tests')
    .where('id', '=', test.id)
    .set({ title, lane, expect, guard, gates, gateReason, updatedAt: now })
    .set({ archivedAt: archived ? (before.archivedAt ?? now) : null })
    .execute();
  const was = before.archivedAt !== null;
  if (was !== archived) await countTests(em, test.agentId, archived ? -1 : 1);
}

export type RevisionView = Omit<Row<'test_revisions'>, 'workspaceId' | 'agentId'>;

/** Newest first, before the revision given. */
export function listRevisions(
  em: EntityManager,
  test: TestView,
  { before, limit }: { before: number | null; limit: number },
): Promise<RevisionView[]> {
  let revisions = db(em).selectFrom('test_revisions').where('testId', '=', test.id).where('agentId', '=', test.agentId);
  if (before !== null) revisions = revisions.where('revision', '<', before);
  return revisions
    .select(['testId', 'revision', 'spec', 'createdBy', 'createdAt'])
    .orderBy('revision', 'desc')
    .limit(limit + 1)
    .execute();
}
