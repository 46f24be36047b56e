import { type TestResource, test, testChange } from '../../contract/test.ts';
import { updateTest } from '../../db/tests/change-tests.ts';
import { findTest } from '../../db/tests/tests.ts';
import { gateAfterNewExpectation } from '../../domain/tests/gate.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { testParent } from './parent.ts';
import { presentTest } from './present.ts';

export const changeTest = defineOperation({
  id: 'changeTest',
  surface: 'app',
  method: 'PATCH',
  path: '/app/agents/{agentId}/tests/{testId}',
  scope: 'person',
  tag: 'Tests',
  summary: 'Change how a test counts, or archive it',
  description:
    'Its title, lane, what is expected of it, whether it guards what works, and whether it is archived: then lists and runs of all tests leave it out, and it no longer counts. Its spec is replaced apart.',
  parents: [testParent],
  body: testChange,
  response: test,
  async run(context, { body }): Promise<TestResource> {
    const { em, agent } = context;
    const before = context.parent(testParent);
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name something to change.');
    const expectation = body.expect ?? before.expect;
    const gate =
      expectation === before.expect ? { gates: before.gates, reason: before.gateReason } : gateAfterNewExpectation;
    await updateTest(em, before, {
      title: body.title ?? before.title,
      lane: body.lane === undefined ? before.lane : body.lane,
      expect: expectation,
      guard: body.guard ?? before.guard,
      gates: gate.gates,
      gateReason: gate.reason,
      archived: body.archived ?? before.archivedAt !== null,
    });
    const row = await findTest(em, scopeOf(agent), before.id);
    if (!row) throw new Error('A test that was just changed is not there.');
    return presentTest(row);
  },
});
