import { type TestResource, test, testSpecReplacement } from '../../contract/test.ts';
import { canonicalJson } from '../../db/convert.ts';
import { replaceSpec } from '../../db/tests/change-tests.ts';
import { findTest } from '../../db/tests/tests.ts';
import { gateAfterNewSpec } from '../../domain/tests/gate.ts';
import { authorOf } from '../author-of.ts';
import { defineOperation } from '../operation.ts';
import { refuseOtherRevision } from '../refuse-other-revision.ts';
import { scopeOf } from '../scope-of.ts';
import { refuseUndecidable } from './check-spec.ts';
import { testParent } from './parent.ts';
import { presentTest } from './present.ts';

export const replaceTestSpec = defineOperation({
  id: 'replaceTestSpec',
  surface: 'v1',
  method: 'PUT',
  path: '/v1/agents/{agentId}/tests/{testId}/spec',
  scope: 'write',
  tag: 'Tests',
  summary: "Replace a test's spec",
  description:
    'The whole spec becomes the next revision; runs that began keep theirs. The revision in the body is the one that was read: where another one is in force by now, nothing is changed (409 `revision_conflict`). A test whose spec differs decides about runs again once it is calibrated.',
  whenToUse: 'Call it to change what a test plays or asks for; read the test first for its revision.',
  parents: [testParent],
  body: testSpecReplacement,
  response: test,
  async run(context, { body }): Promise<TestResource> {
    const { em, agent } = context;
    const before = context.parent(testParent);
    await refuseUndecidable(em, agent, body.spec);
    refuseOtherRevision('test', body.revision, before.revision, LAY_OVER);
    const isSame = canonicalJson(body.spec) === canonicalJson(before.spec);
    const gate = isSame ? { gates: before.gates, reason: before.gateReason } : gateAfterNewSpec(before.revision + 1);
    const createdBy = authorOf(context.caller());
    const next = { revision: body.revision, spec: body.spec, createdBy, gates: gate.gates, gateReason: gate.reason };
    const replaced = await replaceSpec(em, before, next);
    const row = await findTest(em, scopeOf(agent), before.id);
    if (!row) throw new Error('A test that was just changed is not there.');
    if (!replaced) refuseOtherRevision('test', body.revision, row.revision, LAY_OVER);
    return presentTest(row);
  },
});

const LAY_OVER = 'Read it again and lay your change over that.';
