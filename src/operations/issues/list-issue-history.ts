import { listOf } from '../../contract/common.ts';
import { historyEntry } from '../../contract/issue-lifecycle.ts';
import { listHistory } from '../../db/issues/issue-history.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { issueParent } from './parent.ts';

export const listIssueHistory = defineOperation({
  id: 'listIssueHistory',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/issues/{issueId}/history',
  scope: 'person',
  tag: 'Issues',
  summary: 'List what happened to an issue',
  description:
    'Newest first: changes of its status by the analysis, by time and by people, who looks after it, snoozes. Each with who and why.',
  parents: [issueParent],
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(historyEntry),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await listHistory(context.em, context.parent(issueParent), page);
    return context.page(
      rows,
      query.limit,
      ({ personId, personName, ...row }) => ({
        object: 'issue_history_entry' as const,
        ...row,
        person: personId === null ? null : { id: personId, name: personName ?? '' },
      }),
      (row) => [row.at, row.id],
    );
  },
});
