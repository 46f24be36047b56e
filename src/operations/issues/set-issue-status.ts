import { issueAtWork, statusInput } from '../../contract/issue-lifecycle.ts';
import { defineOperation } from '../operation.ts';
import { applyChange } from './apply-change.ts';
import { issueParent } from './parent.ts';

export const setIssueStatus = defineOperation({
  id: 'setIssueStatus',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/issues/{issueId}/status',
  scope: 'person',
  tag: 'Issues',
  summary: 'Set the status of an issue',
  description: 'The status alone, with the reason. Rejecting is `{status: "resolved", rejected: true, reason}`.',
  parents: [issueParent],
  body: statusInput,
  response: issueAtWork,
  run: (context, { body }) => applyChange(context, body),
});
