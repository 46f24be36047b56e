import { issueExplanation } from '../../contract/explanation.ts';
import { readDifferences } from '../../db/issues/read-differences.ts';
import {
  countCallsByModel,
  readBadEndings,
  readIssueCauses,
  readIssueHistory,
} from '../../db/issues/read-issue-evidence.ts';
import { readResolution, readSpike } from '../../db/issues/read-lifecycle.ts';
import { countIssueLabels } from '../../db/labels/signal-labels.ts';
import { defineOperation } from '../operation.ts';
import { codesBehind } from './outcome-evidence.ts';
import { issueParent } from './parent.ts';
import { presentExplanation } from './present-explanation.ts';

export const getIssueExplanation = defineOperation({
  id: 'getIssueExplanation',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/issues/{issueId}/explanation',
  scope: 'read',
  tag: 'Issues',
  summary: 'Explain an issue',
  description:
    'Why the issue stands where it stands: the parts of its rank, every number with what it is counted over, what speaks for and against its cause, what sets its calls apart, how many more calls would settle it, what would prove the cause, and the history of its status.',
  whenToUse: 'Call it when asked why an issue ranks where it does, or how sure its cause is.',
  parents: [issueParent],
  response: issueExplanation,
  async run(context) {
    const { em, agent } = context;
    const issue = context.parent(issueParent);
    return presentExplanation({
      issue,
      agent,
      causes: await readIssueCauses(em, issue),
      callsByModel: await countCallsByModel(em, issue),
      endings: await readBadEndings(em, issue),
      history: await readIssueHistory(em, issue),
      compared: await readDifferences(em, issue),
      resolution: await readResolution(em, issue),
      spike: await readSpike(em, issue),
      labels: await countIssueLabels(em, issue, codesBehind(issue)),
    });
  },
});
