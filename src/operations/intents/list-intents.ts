import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { INTENT_KINDS, intent } from '../../contract/intent.ts';
import { listIntents as readIntents } from '../../db/intents/read-intents.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, cursorParam, limitParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentIntent } from './present.ts';

export const listIntents = defineOperation({
  id: 'listIntents',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/intents',
  scope: 'read',
  tag: 'Calls',
  summary: 'List what callers of an agent want',
  description:
    'Intents, the use cases above them, the sub use cases below them and the kinds of callers, by kind and slug, each with its calls and the slugs that were merged into it.',
  whenToUse: 'Call it for the slugs to filter calls by, or for what an agent is called about.',
  query: {
    limit: limitParam(),
    cursor: cursorParam(z.tuple([z.string(), z.string()])),
    kind: choiceParam(INTENT_KINDS, 'Only this kind.'),
  },
  response: listOf(intent),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readIntents(context.em, scopeOf(context.agent), query.kind, page);
    return context.page(rows, query.limit, presentIntent, ({ kind, slug }) => [kind, slug]);
  },
});
