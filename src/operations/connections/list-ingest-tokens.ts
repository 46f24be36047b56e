import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { ingestToken } from '../../contract/ingest-token.ts';
import { listIngestTokens as readTokens } from '../../db/system/ingest-tokens.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { connectionParent } from './connection.ts';
import { presentIngestToken } from './ingest-token.ts';

export const listIngestTokens = defineOperation({
  id: 'listIngestTokens',
  surface: 'app',
  method: 'GET',
  path: '/app/connections/{connectionId}/tokens',
  scope: 'person',
  role: 'admin',
  tag: 'Connections',
  summary: 'List the tokens of a connection',
  description: 'Those that are not revoked, newest first, with their first ten characters.',
  parents: [connectionParent],
  query: { limit: limitParam(), cursor: cursorParam(z.guid()) },
  response: listOf(ingestToken),
  async run(context, { query }) {
    const { id } = context.parent(connectionParent);
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readTokens(context.em, context.person().workspaceId, id, page);
    return context.page(rows, query.limit, presentIngestToken, (row) => row.id);
  },
});
