import { test } from '../../contract/test.ts';
import { defineOperation } from '../operation.ts';
import { testParent } from './parent.ts';
import { presentTest } from './present.ts';

export const getTest = defineOperation({
  id: 'getTest',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/tests/{testId}',
  scope: 'read',
  tag: 'Tests',
  summary: 'Read a test',
  description: 'One test with the spec of its newest revision; an archived one too.',
  whenToUse: 'Call it for what a test plays and asks for, and for the revision that replacing its spec needs.',
  parents: [testParent],
  response: test,
  run: async (context) => presentTest(context.parent(testParent)),
});
