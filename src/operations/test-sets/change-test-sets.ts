import { newTestSet, removedTestSet, type TestSetResource, testSet, testSetChange } from '../../contract/test-set.ts';
import {
  deleteTestSet,
  findTestSet,
  insertTestSet,
  type TestSetView,
  updateTestSet,
} from '../../db/tests/test-sets.ts';
import { loadTestsForRun } from '../../db/tests/tests.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation, type Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { presentTestSet } from './present.ts';

const path = '/app/agents/{agentId}/test-sets';

const testSetParent: Parent<TestSetView> = {
  param: 'testSetId',
  notFound: 'test_set_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findTestSet(em, scopeOf(agent), id) : null),
};

export const createTestSet = defineOperation({
  id: 'createTestSet',
  surface: 'app',
  method: 'POST',
  path,
  scope: 'person',
  tag: 'Tests',
  summary: 'Make a test set',
  description: 'A named choice of tests of one agent, in the order in which they are played.',
  body: newTestSet,
  response: testSet,
  async run(context, { body }): Promise<TestSetResource> {
    const { em, agent } = context;
    await refuseUnknownTests(context, body.testIds);
    const createdBy = context.person().personId;
    const made = { ...body, workspaceId: agent.workspaceId, agentId: agent.id, createdBy };
    return presentAgain(context, await insertTestSet(em, made));
  },
});

export const changeTestSet = defineOperation({
  id: 'changeTestSet',
  surface: 'app',
  method: 'PATCH',
  path: `${path}/{testSetId}`,
  scope: 'person',
  tag: 'Tests',
  summary: 'Change a test set',
  description: 'Its name, or the whole list of its tests. Runs that began keep theirs.',
  parents: [testSetParent],
  body: testSetChange,
  response: testSet,
  async run(context, { body }): Promise<TestSetResource> {
    const set = context.parent(testSetParent);
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name something to change.');
    if (body.testIds) await refuseUnknownTests(context, body.testIds);
    const changed = { name: body.name ?? set.name, testIds: body.testIds ?? set.testIds };
    await updateTestSet(context.em, set, changed);
    return presentAgain(context, set.id);
  },
});

export const removeTestSet = defineOperation({
  id: 'removeTestSet',
  surface: 'app',
  method: 'DELETE',
  path: `${path}/{testSetId}`,
  scope: 'person',
  tag: 'Tests',
  summary: 'Remove a test set',
  description: 'Its tests stay, and runs that played it keep its id.',
  parents: [testSetParent],
  response: removedTestSet,
  async run(context) {
    const set = context.parent(testSetParent);
    await deleteTestSet(context.em, set);
    return { object: 'test_set' as const, id: set.id, removed: true as const };
  },
});

async function refuseUnknownTests({ em, agent }: Context, testIds: readonly string[]): Promise<void> {
  const { missing } = await loadTestsForRun(em, agent.id, { testIds });
  const [first] = missing;
  if (first === undefined) return;
  const param = `testIds[${testIds.indexOf(first)}]`;
  throw new Failure('test_not_found', `${param}: there is no such test of this agent, or it is archived.`, { param });
}

async function presentAgain({ em, agent }: Context, testSetId: string): Promise<TestSetResource> {
  const row = await findTestSet(em, scopeOf(agent), testSetId);
  if (!row) throw new Error('A test set that was just written is not there.');
  return presentTestSet(row);
}
