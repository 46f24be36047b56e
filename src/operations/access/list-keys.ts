import { listOf } from '../../contract/common.ts';
import { apiKey } from '../../contract/key.ts';
import { listKeys as readKeys } from '../../db/system/keys.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { presentKey } from './present-key.ts';

export const listKeys = defineOperation({
  id: 'listKeys',
  surface: 'app',
  method: 'GET',
  path: '/app/keys',
  scope: 'person',
  tag: 'Keys',
  summary: 'List the keys of the workspace',
  description: 'Keys that are not revoked, newest first, with their first ten characters.',
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(apiKey),
  async run(context, { query }) {
    const rows = await readKeys(context.em, context.person().workspaceId, { after: query.cursor, limit: query.limit });
    return context.page(rows, query.limit, presentKey, (row) => [row.createdAt, row.id]);
  },
});
