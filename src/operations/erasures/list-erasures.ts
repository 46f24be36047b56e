import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { erasure } from '../../contract/erasure.ts';
import { listErasures as readErasures } from '../../db/erasures/erasures.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { presentErasure } from './present.ts';

export const listErasures = defineOperation({
  id: 'listErasures',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/erasures',
  scope: 'person',
  adminOnly: true,
  tag: 'Erasure',
  summary: 'List erasures',
  description: 'What was erased of the agent, newest first, with the reports.',
  query: { limit: limitParam(), cursor: cursorParam(z.tuple([z.string(), z.guid()])) },
  response: listOf(erasure),
  async run(context, { query }) {
    const rows = await readErasures(context.em, context.agent.id, query.cursor, query.limit);
    return context.page(rows, query.limit, presentErasure, (row) => [row.createdAt, row.id]);
  },
});
