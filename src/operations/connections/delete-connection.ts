import { connection } from '../../contract/connection.ts';
import { deleteConnection as remove } from '../../db/connections/delete-connection.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { connectionParent, presentConnection } from './connection.ts';

export const deleteConnection = defineOperation({
  id: 'deleteConnection',
  surface: 'app',
  method: 'DELETE',
  path: '/app/connections/{connectionId}',
  scope: 'person',
  role: 'admin',
  tag: 'Connections',
  summary: 'Delete a connection',
  description:
    'At once and for good, with its key, its webhook secret, its tokens and the address of its events. A connection that agents are reached by is kept: delete the agents first.',
  parents: [connectionParent],
  response: connection,
  async run(context) {
    const found = context.parent(connectionParent);
    const { workspaceId } = context.person();
    const names = await remove(context.em, { connectionId: found.id, workspaceId });
    if (names.length > 0) {
      throw new Failure('connection_in_use', `It is used by ${names.join(', ')}. Delete the agents that use it first.`);
    }
    return presentConnection(context.em, found, context.services);
  },
});
