import { connection, connectionChange } from '../../contract/connection.ts';
import { beginCheck } from '../../db/queries/connections.ts';
import { defineOperation } from '../operation.ts';
import { connectionParent, orderCheck, readBack, refuseUserInfo } from './connection.ts';

export const changeConnection = defineOperation({
  id: 'changeConnection',
  surface: 'app',
  method: 'PATCH',
  path: '/app/connections/{connectionId}',
  scope: 'person',
  adminOnly: true,
  tag: 'Connections',
  summary: 'Give a connection another key or address, or try it again',
  description:
    'The platform is looked at anew; an empty body tries what is stored. Imports use the new key from their next request on.',
  parents: [connectionParent],
  body: connectionChange,
  response: connection,
  async run(context, { body }) {
    const { id: connectionId } = context.parent(connectionParent);
    const { workspaceId } = context.person();
    refuseUserInfo(body.baseUrl);
    const check = await beginCheck(context.em, connectionId, {
      ...(body.apiKey === undefined ? {} : { sealedKey: context.services.vault.seal(body.apiKey) }),
      ...(body.baseUrl === undefined ? {} : { baseUrl: body.baseUrl }),
    });
    await orderCheck(context.em, { workspaceId, connectionId, check });
    return readBack(context.em, connectionId);
  },
});
