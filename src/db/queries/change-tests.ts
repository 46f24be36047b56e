import { sql } from 'kysely';
import type { TestSpec } from '../../domain/tests/spec.ts';
import type { Lane, TestExpectation } from '../../domain/vocabulary.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
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
  const { rows } = await sql<{ revision: number }>`
    update tests set revision = revision + 1, gates = ${next.gates}, gate_reason = ${next.gateReason}, updated_at = now()
    where id = ${test.id} and agent_id = ${test.agentId} and revision = ${next.revision} returning revision`.execute(
    em.getKysely(),
  );
  const [row] = rows;
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
  const { rows } = await sql<{ was: boolean }>`
    update tests t set title = ${set.title}, lane = ${set.lane}, expect = ${set.expect}, guard = ${set.guard},
      gates = ${set.gates}, gate_reason = ${set.gateReason},
      archived_at = case when ${set.archived} then coalesce(t.archived_at, now()) end, updated_at = now()
    from (select id, archived_at is not null as was from tests where id = ${test.id} for update) before
    where t.id = before.id and t.agent_id = ${test.agentId} returning before.was`.execute(em.getKysely());
  const was = rows[0]?.was ?? set.archived;
  if (was !== set.archived) await countTests(em, test.agentId, set.archived ? -1 : 1);
}

export interface RevisionView {
  testId: string;
  revision: number;
  spec: TestSpec;
  createdBy: string;
  createdAt: string;
}

/** Newest first, before the revision given. */
export async function listRevisions(
  em: EntityManager,
  test: TestView,
  page: { before: number | null; limit: number },
): Promise<RevisionView[]> {
  const { rows } = await sql<RevisionView>`
    select test_id as "testId", revision, spec, created_by as "createdBy", created_at as "createdAt"
    from test_revisions where test_id = ${test.id} and agent_id = ${test.agentId}
      and (${page.before}::int is null or revision < ${page.before}::int)
    order by revision desc limit ${page.limit + 1}`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, createdAt: toIso(row.createdAt) }));
}
