import { type AgentCopyResource, agentCopy } from '../../contract/agent-copy.ts';
import { listOf } from '../../contract/common.ts';
import { type CopyView, listCopies as readCopies } from '../../db/copies/copies.ts';
import { COPY_STATES } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, limitParam, timeCursor } from '../params.ts';
import { scopeOf } from '../scope-of.ts';

export const listCopies = defineOperation({
  id: 'listCopies',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/copies',
  scope: 'read',
  tag: 'Runs',
  summary: 'List the copies of an agent that runs made at its platform',
  description:
    'Newest first. A run that plays a draft on Retell, or asks for a shadow copy, makes an agent of its own there, which no telephone number leads to, and has it removed when it ends. One that could not be removed stays `removing` with its problem, and is tried again each hour.',
  whenToUse: 'Call it with state removing to see what is left at the platform.',
  query: {
    limit: limitParam(),
    cursor: timeCursor,
    state: choiceParam(COPY_STATES, 'Only copies in this state.'),
  },
  response: listOf(agentCopy),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readCopies(context.em, scopeOf(context.agent), { state: query.state }, page);
    return context.page(rows, query.limit, present, (row) => [row.createdAt, row.id]);
  },
});

function present(row: CopyView): AgentCopyResource {
  return {
    object: 'agent_copy',
    id: row.id,
    agentId: row.agentId,
    runId: row.runId,
    version: row.version,
    state: row.state,
    providerAgentId: row.providerAgentId,
    tries: row.tries,
    problem: row.problem,
    createdAt: row.createdAt,
    removedAt: row.removedAt,
  };
}
