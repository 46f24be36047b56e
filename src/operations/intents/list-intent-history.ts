import { listOf } from '../../contract/common.ts';
import { intentChange } from '../../contract/intent.ts';
import { listIntentChanges } from '../../db/intents/read-intents.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { intentParent } from './parent.ts';

export const listIntentHistory = defineOperation({
  id: 'listIntentHistory',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/intents/{intentId}/history',
  scope: 'person',
  tag: 'Calls',
  summary: 'List how an intent got its name and its calls',
  description: 'Newest first: names that people gave, and intents that were merged into it, with who and when.',
  parents: [intentParent],
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(intentChange),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await listIntentChanges(context.em, context.parent(intentParent), page);
    return context.page(
      rows,
      query.limit,
      ({ personId, personName, ...row }) => ({
        object: 'intent_change' as const,
        ...row,
        person: personId === null ? null : { id: personId, name: personName ?? '' },
      }),
      (row) => [row.at, row.id],
    );
  },
});
