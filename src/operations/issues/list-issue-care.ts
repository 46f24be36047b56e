import { listOf } from '../../contract/common.ts';
import { issueCare } from '../../contract/issue-lifecycle.ts';
import { listCare } from '../../db/issues/read-lifecycle.ts';
import { defineOperation } from '../operation.ts';

const ISSUES_AT_MOST = 1_000;

export const listIssueCare = defineOperation({
  id: 'listIssueCare',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/issue-care',
  scope: 'person',
  tag: 'Issues',
  summary: 'List who looks after which issues',
  description: `Issues that have an owner or are snoozed, last changed first, at most ${ISSUES_AT_MOST}; others are left out.`,
  response: listOf(issueCare),
  async run({ em, agent }) {
    const rows = await listCare(em, agent.id, ISSUES_AT_MOST);
    const data = rows.map((row) => ({ object: 'issue_care' as const, ...row }));
    return { object: 'list' as const, data, hasMore: false, nextCursor: null };
  },
});
