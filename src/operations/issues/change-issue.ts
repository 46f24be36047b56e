import { issueAtWork, issueChange } from '../../contract/issue-lifecycle.ts';
import { defineOperation } from '../operation.ts';
import { applyChange } from './apply-change.ts';
import { issueParent } from './parent.ts';

export const changeIssue = defineOperation({
  id: 'changeIssue',
  surface: 'app',
  method: 'PATCH',
  path: '/app/agents/{agentId}/issues/{issueId}',
  scope: 'person',
  tag: 'Issues',
  summary: 'Change an issue',
  description:
    'Its status, who looks after it, and until when it is out of sight. A status that the issue cannot take is refused with 409 `issue_status_refused`. Who and why stand in its history.',
  parents: [issueParent],
  body: issueChange,
  response: issueAtWork,
  run: (context, { body }) => applyChange(context, body),
});
