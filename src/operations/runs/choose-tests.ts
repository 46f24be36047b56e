import type { AgentView } from '../../db/agents/read-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { findPersonas } from '../../db/tests/personas.ts';
import { findTestSet } from '../../db/tests/test-sets.ts';
import { loadTestsForRun, type TestForRun, type TestSelection } from '../../db/tests/tests.ts';
import { Failure } from '../failure.ts';
import { scopeOf } from '../scope-of.ts';

export interface AskedTests {
  testIds?: readonly string[] | null | undefined;
  testSetId?: string | null | undefined;
  all?: boolean | null | undefined;
}

/** The tests that a request names, in their order. @throws Failure naming what is wrong with the choice */
export async function chooseTests(
  em: EntityManager,
  agent: AgentView,
  asked: AskedTests,
): Promise<{ tests: TestForRun[]; testSetId: string | null }> {
  const { selection, testSetId } = readSelection(asked);
  if (testSetId !== null && !(await findTestSet(em, scopeOf(agent), testSetId))) {
    throw new Failure('test_set_not_found', 'There is no test set with this id here.', { param: 'testSetId' });
  }
  const { tests, missing } = await loadTestsForRun(em, agent.id, selection);
  const [absent] = missing;
  if (absent !== undefined && 'testIds' in selection) {
    const param = `testIds[${selection.testIds.indexOf(absent)}]`;
    throw new Failure('test_not_found', `There is no test ${absent} here that can be played.`, { param });
  }
  if (tests.length === 0) {
    const message =
      'testSetId' in selection ? 'The set has no test that can be played.' : 'This agent has no tests yet.';
    throw new Failure('testing_not_configured', `${message} Create one first.`);
  }
  return { tests, testSetId };
}

function readSelection({ testIds, testSetId, all }: AskedTests): {
  selection: TestSelection;
  testSetId: string | null;
} {
  const given = [testIds, testSetId, all === true ? true : null].filter((one) => one !== null && one !== undefined);
  if (given.length !== 1) {
    const param = given.length === 0 ? 'testIds' : 'testSetId';
    throw new Failure('invalid_parameter', 'Name exactly one of testIds, testSetId and all: true.', { param });
  }
  if (testIds) {
    const ids = testIds.map((id) => id.toLowerCase());
    const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at);
    if (twice >= 0) throw new Failure('invalid_parameter', 'Each test is named once.', { param: `testIds[${twice}]` });
    return { selection: { testIds: ids }, testSetId: null };
  }
  if (testSetId) return { selection: { testSetId: testSetId.toLowerCase() }, testSetId: testSetId.toLowerCase() };
  return { selection: { all: true }, testSetId: null };
}

/** The personas that a request names, by their ids; null: each test's own caller. @throws Failure `persona_not_found` */
export async function choosePersonas(
  em: EntityManager,
  workspaceId: string,
  asked: readonly string[] | null | undefined,
): Promise<string[] | null> {
  if (!asked) return null;
  const ids = asked.map((id) => id.toLowerCase());
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at);
  if (twice >= 0)
    throw new Failure('invalid_parameter', 'Each persona is named once.', { param: `personas[${twice}]` });
  const found = new Set((await findPersonas(em, workspaceId, ids)).map(({ id }) => id));
  const absent = ids.findIndex((id) => !found.has(id));
  if (absent >= 0) {
    throw new Failure('persona_not_found', 'There is no persona with this id.', { param: `personas[${absent}]` });
  }
  return ids;
}
