import { sql } from 'kysely';
import { FROM_PACK } from '../../domain/packs/pack.ts';
import { type Calibrated, gateOf, NOT_CALIBRATED } from '../../domain/tests/gate.ts';
import type { ReadyTest } from '../../domain/tests/ready-test.ts';
import type { TestSpec } from '../../domain/tests/spec.ts';
import type { CellResult, Lane, TestSource } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, json, now } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

/** A test with the spec of its newest revision, and what the newest run that played it came to. */
export type TestView = Row<'tests'> & { spec: TestSpec; lastResult: LastResult | null };

export interface LastResult {
  runId: string;
  /** The worst of its callers. */
  result: Exclude<CellResult, 'not_run'>;
  revision: number;
  version: number;
  /** ISO 8601. */
  at: string;
}

/** What a run takes over from a test when it begins. */
export type TestForRun = Pick<
  TestView,
  'id' | 'revision' | 'title' | 'source' | 'lane' | 'expect' | 'guard' | 'gates' | 'gateReason' | 'spec'
>;

const WORST_FIRST = sql.raw(`array['failed', 'error', 'drift', 'flaky', 'passed']`);

const withSpec = (em: EntityManager) =>
  db(em)
    .selectFrom('tests as t')
    .innerJoin('test_revisions as r', (join) =>
      join.onRef('r.testId', '=', 't.id').onRef('r.revision', '=', 't.revision'),
    );

const views = (em: EntityManager, scope: ReadScope) =>
  withSpec(em)
    .where('t.agentId', '=', anyAgent(scope))
    .selectAll('t')
    .select(['r.spec', lastResult.as('lastResult')]);

/** Ids of runs grow with time. */
const lastResult = sql<LastResult | null>`(
  select jsonb_build_object('runId', c.run_id, 'result', c.result, 'revision', c.test_revision, 'version', n.version,
    'at', to_char(coalesce(n.finished_at, n.created_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from run_cells c join runs n on n.id = c.run_id
  where c.test_id = t.id and c.agent_id = t.agent_id and c.result <> 'not_run'
  order by c.run_id desc, array_position(${WORST_FIRST}, c.result) limit 1)`;

/** Archived ones too: runs that played them name them. */
export async function findTest(em: EntityManager, scope: ReadScope, testId: string): Promise<TestView | null> {
  return (await views(em, scope).where('t.id', '=', testId).executeTakeFirst()) ?? null;
}

/** The newest that was made of a source, archived or not. */
export async function findGeneratedTest(
  em: EntityManager,
  scope: ReadScope,
  generatedFrom: string,
): Promise<TestView | null> {
  const made = views(em, scope).where('t.generatedFrom', '=', generatedFrom);
  return (await made.orderBy('t.createdAt', 'desc').limit(1).executeTakeFirst()) ?? null;
}

export interface TestFilter {
  source: TestSource | null;
  lane: Lane | null;
  gates: boolean | null;
  archived: boolean;
}

/** Newest first; the order never changes. */
export function listTests(
  em: EntityManager,
  scope: ReadScope,
  filter: TestFilter,
  page: ListPage,
): Promise<TestView[]> {
  let tests = views(em, scope).where('t.archivedAt', filter.archived ? 'is not' : 'is', null);
  if (filter.source) tests = tests.where('t.source', '=', filter.source);
  if (filter.lane) tests = tests.where('t.lane', '=', filter.lane);
  if (filter.gates !== null) tests = tests.where('t.gates', '=', filter.gates);
  return newestFirst(tests, ['t.createdAt', 't.id'], page).execute();
}

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
  const { workspaceId, agentId, title, source, lane, expect, guard, sourceCallId, generatedFrom, createdBy } = made;
  await db(em)
    .insertInto('tests')
    .values({
      id,
      workspaceId,
      agentId,
      title,
      source,
      lane,
      expect,
      guard,
      sourceCallId,
      generatedFrom,
      createdBy,
      gates: false,
      gateReason: NOT_CALIBRATED,
      revision: 1,
    })
    .execute();
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
  const { workspaceId, agentId, testId, revision, spec, createdBy } = made;
  await db(em)
    .insertInto('test_revisions')
    .values({ testId, revision, workspaceId, agentId, spec: json(spec), createdBy })
    .execute();
}

/** Kept in the transaction of what it counts: tests that are not archived. */
export async function countTests(em: EntityManager, agentId: string, by: number): Promise<void> {
  await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .set((eb) => ({ testCount: eb('testCount', '+', by) }))
    .execute();
}

/** Whether an agent has or had tests. */
export async function hasTests(em: EntityManager, agentId: string): Promise<boolean> {
  const any = db(em).selectFrom('tests').where('agentId', '=', agentId).select('id').limit(1);
  return (await any.executeTakeFirst()) !== undefined;
}

/** Oldest first, with the spec in force. */
export function testsMadeBy(em: EntityManager, agentId: string, createdBy: string): Promise<ReadyTest[]> {
  return withSpec(em)
    .where('t.agentId', '=', agentId)
    .where('t.createdBy', '=', createdBy)
    .select(['t.title', 't.lane', 't.expect', 't.guard', 'r.spec'])
    .orderBy('t.createdAt')
    .orderBy('t.id')
    .execute();
}

/** What a run is asked to play. */
export type TestSelection = { testIds: readonly string[] } | { testSetId: string } | { all: true };

/**
 * The tests of a selection in its order, with the revision in force; all of an agent's oldest first, without those of packs,
 * which are played with their pack. Archived tests are no longer played: of a set they are left out, named by id they are
 * missing.
 * @returns beside the tests the ids of the selection that name none.
 */
export async function loadTestsForRun(
  em: EntityManager,
  agentId: string,
  selection: TestSelection,
): Promise<{ tests: TestForRun[]; missing: string[] }> {
  const chosen = 'testIds' in selection ? [...selection.testIds] : await testsOfSet(em, agentId, selection);
  let tests = withSpec(em).where('t.agentId', '=', agentId).where('t.archivedAt', 'is', null);
  if (chosen) {
    tests = tests
      .where('t.id', '=', anyId(chosen))
      .orderBy(({ cast, fn, val }) => fn('array_position', [cast(val(chosen), sql`uuid[]`), 't.id']));
  } else {
    tests = tests.where((eb) =>
      eb.or([eb('t.generatedFrom', 'is', null), eb('t.generatedFrom', 'not like', `${FROM_PACK}%`)]),
    );
  }
  const found = await tests
    .select(['t.id', 't.revision', 't.title', 't.source', 't.lane', 't.expect', 't.guard', 't.gates', 't.gateReason'])
    .select('r.spec')
    .orderBy('t.createdAt')
    .orderBy('t.id')
    .execute();
  const ids = new Set(found.map(({ id }) => id));
  const named = 'testIds' in selection ? selection.testIds : [];
  return { tests: found, missing: named.filter((id) => !ids.has(id.toLowerCase())) };
}

/** @returns null where all are meant. */
async function testsOfSet(
  em: EntityManager,
  agentId: string,
  selection: { testSetId: string } | { all: true },
): Promise<string[] | null> {
  if ('all' in selection) return null;
  const set = await db(em)
    .selectFrom('test_sets')
    .where('id', '=', selection.testSetId)
    .where('agentId', '=', agentId)
    .select('testIds')
    .executeTakeFirst();
  return set?.testIds ?? [];
}

/**
 * Has a test gate, or not, by what the attempts of a calibration came to. A test of which something else is
 * asked or expected since then stays as it is. Doing it again changes nothing.
 */
export async function applyCalibration(em: EntityManager, runId: string): Promise<void> {
  const cells: (Calibrated & Pick<TestView, 'expect'> & { testId: string; testRevision: number })[] = await db(em)
    .selectFrom('run_cells as c')
    .innerJoin('runs as r', 'r.id', 'c.runId')
    .where('c.runId', '=', runId)
    .where('r.kind', '=', 'calibration')
    .select(['c.testId', 'c.testRevision', 'c.expect', 'c.result', 'c.k', 'c.n', 'c.reason', 'r.version'])
    .orderBy('c.position')
    .orderBy('c.persona')
    .execute();
  for (const cell of cells) {
    const { gates, reason: gateReason } = gateOf(cell);
    await db(em)
      .updateTable('tests')
      .where('id', '=', cell.testId)
      .where('revision', '=', cell.testRevision)
      .where('expect', '=', cell.expect)
      .where((eb) => eb.not(eb.and({ gates, gateReason })))
      .set({ gates, gateReason, updatedAt: now })
      .execute();
  }
}
