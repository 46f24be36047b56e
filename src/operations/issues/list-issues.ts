import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { issue } from '../../contract/issue.ts';
import { boardPosition, listBoard } from '../../db/issues/read-issues.ts';
import { ISSUE_CLASSES, ISSUE_STATUSES } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { booleanParam, choicesParam, cursorParam, limitParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentIssue } from './present.ts';

const position = z.strictObject({
  downstream: z.boolean(),
  last: z.boolean(),
  fell: z.boolean(),
  negatedOrderKey: z.number(),
  id: z.guid(),
});

export const listIssues = defineOperation({
  id: 'listIssues',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/issues',
  scope: 'read',
  tag: 'Issues',
  summary: 'List the issues of an agent',
  description:
    'Confirmed issues, highest priority first: fix and improve items, those that the live version fixed after those that still happen, then every item whose cause is not established. Resolved issues are left out unless asked for.',
  whenToUse: 'Call it for what goes wrong with an agent and what to fix first.',
  query: {
    limit: limitParam(),
    cursor: cursorParam(position),
    status: choicesParam(
      ISSUE_STATUSES,
      'Only these statuses. It is then the whole status filter and includeResolved is ignored.',
    ),
    klass: choicesParam(ISSUE_CLASSES, 'Only these classes. behaviour is on no board and lists nothing.'),
    includeResolved: booleanParam('Also resolved issues, where status is not given.'),
    includeDownstream: booleanParam('Also issues that follow from another one, after all others.'),
  },
  response: listOf(issue),
  async run(context, { query }) {
    const { agent } = context;
    const rows = await listBoard(
      context.em,
      scopeOf(agent),
      {
        source: agent.boardSource,
        statuses: query.status,
        classes: query.klass,
        includeResolved: query.includeResolved,
        includeDownstream: query.includeDownstream,
      },
      { after: query.cursor, limit: query.limit },
    );
    return context.page(rows, query.limit, (row) => presentIssue(row, agent), boardPosition);
  },
});
