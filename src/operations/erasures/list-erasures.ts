import { listOf } from '../../contract/common.ts';
import { erasure } from '../../contract/erasure.ts';
import { listErasures as readErasures } from '../../db/erasures/erasures.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { presentErasure } from './present.ts';

export const listErasures = defineOperation({
  id: 'listErasures',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/erasures',
  scope: 'person',
  role: 'admin',
  tag: 'Erasure',
  summary: 'List erasures',
  description: 'What was erased of the agent, newest first, with the reports.',
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(erasure),
  async run(context, { query }) {
    const rows = await readErasures(
      context.em,
      { agentId: context.agent.id },
      { after: query.cursor, limit: query.limit },
    );
    return context.page(rows, query.limit, presentErasure, (row) => [row.createdAt, row.id]);
  },
});

export const listWorkspaceErasures = defineOperation({
  id: 'listWorkspaceErasures',
  surface: 'app',
  method: 'GET',
  path: '/app/erasures',
  scope: 'person',
  role: 'admin',
  tag: 'Erasure',
  summary: 'List all erasures of the workspace',
  description: 'Of all agents, also of those that were deleted, newest first, with the reports.',
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(erasure),
  async run(context, { query }) {
    const { workspaceId } = context.person();
    const rows = await readErasures(context.em, { workspaceId }, { after: query.cursor, limit: query.limit });
    return context.page(rows, query.limit, presentErasure, (row) => [row.createdAt, row.id]);
  },
});
