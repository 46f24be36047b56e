import { agent } from '../../contract/agent.ts';
import { listOf } from '../../contract/common.ts';
import { listReachableAgents } from '../../db/agents/read-agents.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { reachOf } from '../principal.ts';
import { presentAgent } from './present.ts';

export const listAgents = defineOperation({
  id: 'listAgents',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents',
  scope: 'read',
  tag: 'Agents',
  summary: 'List agents',
  description: 'The agents that you can reach, newest first. A key tied to one agent sees only that one.',
  whenToUse: 'Call it first: every other tool takes the id of an agent that it answers.',
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(agent),
  async run(context, { query }) {
    const rows = await listReachableAgents(context.em, reachOf(context.principal), {
      after: query.cursor,
      limit: query.limit,
    });
    return context.page(rows, query.limit, presentAgent, (row) => [row.createdAt, row.id]);
  },
});
