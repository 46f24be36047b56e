import { issueAtWork } from '../../contract/issue-lifecycle.ts';
import { readCare, readResolution } from '../../db/issues/read-lifecycle.ts';
import { defineOperation } from '../operation.ts';
import { issueParent } from './parent.ts';
import { presentIssueAtWork } from './present-lifecycle.ts';

export const getIssueAtWork = defineOperation({
  id: 'getIssueAtWork',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/issues/{issueId}',
  scope: 'person',
  tag: 'Issues',
  summary: 'Read an issue as people work on it',
  description:
    'The issue with its owner and snooze, when it counts as resolved and how sure that is, and the last day on which it was far more common than before.',
  parents: [issueParent],
  response: issueAtWork,
  async run(context) {
    const { em, agent } = context;
    const issue = context.parent(issueParent);
    return presentIssueAtWork(issue, agent, await readCare(em, issue), await readResolution(em, issue));
  },
});
