import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { connection } from '../../contract/connection.ts';
import { listConnections as readConnections } from '../../db/connections/connections.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { presentConnections } from './connection.ts';

export const listConnections = defineOperation({
  id: 'listConnections',
  surface: 'app',
  method: 'GET',
  path: '/app/connections',
  scope: 'person',
  role: 'admin',
  tag: 'Connections',
  summary: 'List the connections of the workspace',
  description: 'Newest first. Keys are never shown.',
  query: { limit: limitParam(), cursor: cursorParam(z.guid()) },
  response: listOf(connection),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readConnections(context.em, context.person().workspaceId, page);
    const presented = await presentConnections(context.em, rows, context.services);
    return context.page(
      presented,
      query.limit,
      (row) => row,
      (row) => row.id,
    );
  },
});
