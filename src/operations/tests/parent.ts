import { findTest, type TestView } from '../../db/tests/tests.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const testParent: Parent<TestView> = {
  param: 'testId',
  notFound: 'test_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findTest(em, scopeOf(agent), id) : null),
};
