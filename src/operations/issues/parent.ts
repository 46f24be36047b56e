import { findIssue, type IssueView } from '../../db/issues/read-issues.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const issueParent: Parent<IssueView> = {
  param: 'issueId',
  notFound: 'issue_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findIssue(em, scopeOf(agent), id) : null),
};
