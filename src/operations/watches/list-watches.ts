import { listOf } from '../../contract/common.ts';
import { watch } from '../../contract/watch.ts';
import { samplesByWatch } from '../../db/watches/samples.ts';
import { listWatches as readWatches } from '../../db/watches/watches.ts';
import { WATCH_STATES } from '../../domain/vocabulary.ts';
import { readerModelOf } from '../../services/models/reader-model.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, limitParam, timeCursor } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentWatch } from './present.ts';

export const listWatches = defineOperation({
  id: 'listWatches',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/watches',
  scope: 'read',
  tag: 'Watches',
  summary: 'List the watches of an agent',
  description:
    'Expectations that are checked on production calls, newest first: those that people wrote, and those that lines of the agent’s own text ask for.',
  whenToUse: 'Call it to see what is expected of the agent, which of it is live, and how often it holds.',
  query: {
    limit: limitParam(),
    cursor: timeCursor,
    state: choiceParam(WATCH_STATES, 'Only watches in this state.'),
  },
  response: listOf(watch),
  async run(context, { query }) {
    const { em, agent } = context;
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readWatches(em, scopeOf(agent), { state: query.state }, page);
    const samples = await samplesByWatch(em, rows);
    const reader = await readerModelOf(em, context.services, agent.workspaceId);
    const present = (row: (typeof rows)[number]) => presentWatch(row, samples.get(row.id) ?? [], reader);
    return context.page(rows, query.limit, present, (row) => [row.createdAt, row.id]);
  },
});
