import { listOf } from '../../contract/common.ts';
import { draftListed } from '../../contract/draft.ts';
import { listDrafts as readDrafts } from '../../db/drafts/drafts.ts';
import { DRAFT_STATUSES } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, limitParam, timeCursor } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentListed, readSurroundings, surroundedBy } from './present.ts';

export const listDrafts = defineOperation({
  id: 'listDrafts',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/drafts',
  scope: 'read',
  tag: 'Drafts',
  summary: 'List the drafts of an agent',
  description:
    'Changes of its text that people write and test before they publish them, newest first. Each is listed without its texts, its difference and its quick checks, which reading it gives.',
  whenToUse: 'Call it to see which changes of the agent are being worked on, and which went live from here.',
  query: {
    limit: limitParam(),
    cursor: timeCursor,
    status: choiceParam(DRAFT_STATUSES, 'Only drafts in this status.'),
  },
  response: listOf(draftListed),
  async run(context, { query }) {
    const { em, agent } = context;
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readDrafts(em, scopeOf(agent), { status: query.status }, page);
    const around = await readSurroundings(surroundedBy(context), rows);
    return context.page(
      rows,
      query.limit,
      (row) => presentListed(row, around),
      (row) => [row.createdAt, row.id],
    );
  },
});
