import { issue } from '../../contract/issue.ts';
import { defineOperation } from '../operation.ts';
import { issueParent } from './parent.ts';
import { presentIssue } from './present.ts';

export const getIssue = defineOperation({
  id: 'getIssue',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/issues/{issueId}',
  scope: 'read',
  tag: 'Issues',
  summary: 'Read an issue',
  description: 'One issue, also one whose section is hidden; sectionNote then says why it is held back.',
  whenToUse: 'Call it for one issue in full when its id is known, also for one that no list shows.',
  parents: [issueParent],
  response: issue,
  async run(context) {
    return presentIssue(context.parent(issueParent), context.agent);
  },
});
