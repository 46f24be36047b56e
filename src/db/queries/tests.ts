import { type RawBuilder, sql } from 'kysely';
import { type Calibrated, gateOf, NOT_CALIBRATED } from '../../domain/tests/gate.ts';
import type { ReadyTest } from '../../domain/tests/ready-test.ts';
import type { TestSpec } from '../../domain/tests/spec.ts';
import type { Lane, TestExpectation, TestSource } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { toIso, toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { ofAgents, type ReadScope } from './read-scope.ts';

/** A test with the spec of its newest revision; times are ISO 8601. */
export interface TestView {
  id: string;
  workspaceId: string;
  agentId: string;
  title: string;
  source: TestSource;
  lane: Lane | null;
  expect: TestExpectation;
  guard: boolean;
  gates: boolean;
  gateReason: string;
  revision: number;
  spec: TestSpec;
  sourceCallId: string | null;
  generatedFrom: string | null;
  createdBy: string;
  archivedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** What a run takes over from a test when it begins. */
export type TestForRun = Pick<
  TestView,
  'id' | 'revision' | 'title' | 'source' | 'lane' | 'expect' | 'guard' | 'gates' | 'gateReason' | 'spec'
>;

const columns = sql`t.id, t.workspace_id as "workspaceId", t.agent_id as "agentId", t.title, t.source, t.lane, t.expect,
  t.guard, t.gates, t.gate_reason as "gateReason", t.revision, r.spec, t.source_call_id as "sourceCallId",
  t.generated_from as "generatedFrom", t.created_by as "createdBy", t.archived_at as "archivedAt",
  t.created_at as "createdAt", t.updated_at as "updatedAt"`;
const withSpec = sql`tests t join test_revisions r on r.test_id = t.id and r.revision = t.revision`;

const toView = (row: TestView): TestView => ({
  ...row,
  archivedAt: toIsoOrNull(row.archivedAt),
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
});

/** Archived ones too: runs that played them name them. */
export async function findTest(em: EntityManager, scope: ReadScope, testId: string): Promise<TestView | null> {
  const { rows } = await sql<TestView>`
    select ${columns} from ${withSpec} where t.id = ${testId} and ${ofAgents('t.agent_id', scope)}`.execute(
    em.getKysely(),
  );
  return rows[0] ? toView(rows[0]) : null;
}

export interface TestFilter {
  source: TestSource | null;
  lane: Lane | null;
  gates: boolean | null;
  archived: boolean;
}

/** Newest first; the order never changes. */
export async function listTests(
  em: EntityManager,
  scope: ReadScope,
  filter: TestFilter,
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<TestView[]> {
  const after = page.after
    ? sql`and (t.created_at, t.id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<TestView>`
    select ${columns} from ${withSpec} where ${ofAgents('t.agent_id', scope)}
      and (t.archived_at is not null) = ${filter.archived} and ${matches('t.source', filter.source)}
      and ${matches('t.lane', filter.lane)} and ${matches('t.gates', filter.gates)} ${after}
    order by t.created_at desc, t.id desc limit ${page.limit + 1}`.execute(em.getKysely());
  return rows.map(toView);
}

const matches = (column: string, value: string | boolean | null): RawBuilder<boolean> =>
  value === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${value}`;

/** `createdBy`: a user id, `key:<id>`, or `earshot`. */
export type NewTest = Pick<
  TestView,
  | 'workspaceId'
  | 'agentId'
  | 'title'
  | 'source'
  | 'lane'
  | 'expect'
  | 'guard'
  | 'spec'
  | 'sourceCallId'
  | 'generatedFrom'
  | 'createdBy'
>;

/** Revision 1, which does not gate; the agent's count goes with it. @returns the test's id. */
export async function insertTest(em: EntityManager, made: NewTest): Promise<string> {
  const id = newId();
  await sql`
    insert into tests (id, workspace_id, agent_id, title, source, lane, expect, guard, gates, gate_reason, revision,
      source_call_id, generated_from, created_by)
    values (${id}, ${made.workspaceId}, ${made.agentId}, ${made.title}, ${made.source}, ${made.lane}, ${made.expect},
      ${made.guard}, false, ${NOT_CALIBRATED}, 1, ${made.sourceCallId}, ${made.generatedFrom}, ${made.createdBy})
  `.execute(em.getKysely());
  await insertRevision(em, { ...made, testId: id, revision: 1 });
  await countTests(em, made.agentId, 1);
  return id;
}

export async function insertRevision(
  em: EntityManager,
  made: {
    workspaceId: string;
    agentId: string;
    testId: string;
    revision: number;
    spec: TestSpec;
    createdBy: string;
  },
): Promise<void> {
  await sql`
    insert into test_revisions (test_id, revision, workspace_id, agent_id, spec, created_by)
    values (${made.testId}, ${made.revision}, ${made.workspaceId}, ${made.agentId}, ${JSON.stringify(made.spec)}::jsonb,
      ${made.createdBy})`.execute(em.getKysely());
}

/** Kept in the transaction of what it counts: tests that are not archived. */
export async function countTests(em: EntityManager, agentId: string, by: number): Promise<void> {
  await sql`update agents set test_count = test_count + ${by} where id = ${agentId}`.execute(em.getKysely());
}

/** Whether an agent has or had tests. */
export async function hasTests(em: EntityManager, agentId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from tests where agent_id = ${agentId} limit 1`.execute(em.getKysely());
  return rows.length > 0;
}

/** Oldest first, with the spec in force. */
export async function testsMadeBy(em: EntityManager, agentId: string, createdBy: string): Promise<ReadyTest[]> {
  const { rows } = await sql<ReadyTest>`
    select t.title, t.lane, t.expect, t.guard, r.spec from ${withSpec}
    where t.agent_id = ${agentId} and t.created_by = ${createdBy} order by t.created_at, t.id`.execute(em.getKysely());
  return rows;
}

/** What a run is asked to play. */
export type TestSelection = { testIds: readonly string[] } | { testSetId: string } | { all: true };

/**
 * The tests of a selection in its order, with the revision in force; all of an agent's oldest first. Archived tests are
 * played no more: of a set they are left out, named by id they are missing.
 * @returns beside the tests the ids of the selection that name none.
 */
export async function loadTestsForRun(
  em: EntityManager,
  agentId: string,
  selection: TestSelection,
): Promise<{ tests: TestForRun[]; missing: string[] }> {
  const chosen = 'testIds' in selection ? [...selection.testIds] : null;
  const place =
    chosen !== null
      ? sql`join unnest(${chosen}::uuid[]) with ordinality as chosen (id, at) on chosen.id = t.id`
      : 'testSetId' in selection
        ? sql`join (select u.id, u.at from test_sets s, unnest(s.test_ids) with ordinality as u (id, at)
            where s.id = ${selection.testSetId} and s.agent_id = ${agentId}) chosen on chosen.id = t.id`
        : sql`cross join (select 0 as at) chosen`;
  const { rows } = await sql<TestForRun>`
    select t.id, t.revision, t.title, t.source, t.lane, t.expect, t.guard, t.gates, t.gate_reason as "gateReason", r.spec
    from ${withSpec} ${place} where t.agent_id = ${agentId} and t.archived_at is null
    order by chosen.at, t.created_at, t.id`.execute(em.getKysely());
  const found = new Set(rows.map(({ id }) => id));
  return { tests: rows, missing: (chosen ?? []).filter((id) => !found.has(id.toLowerCase())) };
}

/**
 * Has a test gate, or not, by what the attempts of a calibration came to. A test of which something else is
 * asked or expected since then stays as it is. Doing it again changes nothing.
 */
export async function applyCalibration(em: EntityManager, runId: string): Promise<void> {
  const { rows } = await sql<Calibrated & Pick<TestView, 'expect'> & { testId: string; testRevision: number }>`
    select c.test_id as "testId", c.test_revision as "testRevision", c.expect, c.result, c.k, c.n, c.reason, r.version
    from run_cells c join runs r on r.id = c.run_id
    where c.run_id = ${runId} and r.kind = 'calibration' order by c.position, c.persona`.execute(em.getKysely());
  for (const row of rows) {
    const { gates, reason } = gateOf(row);
    await sql`
      update tests set gates = ${gates}, gate_reason = ${reason}, updated_at = now()
      where id = ${row.testId} and revision = ${row.testRevision} and expect = ${row.expect}
        and (gates, gate_reason) is distinct from (${gates}, ${reason})`.execute(em.getKysely());
  }
}
