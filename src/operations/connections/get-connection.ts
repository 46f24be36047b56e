import { connection } from '../../contract/connection.ts';
import { defineOperation } from '../operation.ts';
import { connectionParent, presentConnection } from './connection.ts';

export const getConnection = defineOperation({
  id: 'getConnection',
  surface: 'app',
  method: 'GET',
  path: '/app/connections/{connectionId}',
  scope: 'person',
  role: 'admin',
  tag: 'Connections',
  summary: 'Read a connection',
  description:
    'Whether its key works, and which agents it shows; where agents send spans, of which of them no call was made, and which setting would fix it.',
  parents: [connectionParent],
  response: connection,
  run: async (context) => presentConnection(context.em, context.parent(connectionParent), context.services),
});
