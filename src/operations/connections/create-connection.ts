import { connection, newConnection } from '../../contract/connection.ts';
import { beginCheck, insertConnection } from '../../db/connections/connections.ts';
import { defineOperation } from '../operation.ts';
import { checkBaseUrl, orderCheck, readBack } from './connection.ts';

export const createConnection = defineOperation({
  id: 'createConnection',
  surface: 'app',
  method: 'POST',
  path: '/app/connections',
  scope: 'person',
  adminOnly: true,
  tag: 'Connections',
  summary: 'Connect a voice platform',
  description:
    'The key is stored encrypted and tried at the platform at once; the answer is `checking`, and reading it again soon says whether the key works and which agents it shows.',
  body: newConnection,
  response: connection,
  async run({ em, services, person }, { body }) {
    const { workspaceId } = person();
    checkBaseUrl(body.baseUrl);
    const connectionId = await insertConnection(em, {
      workspaceId,
      platform: body.platform,
      baseUrl: body.baseUrl ?? null,
      sealedKey: services.vault.seal(body.apiKey),
      status: 'checking',
    });
    await orderCheck(em, { workspaceId, connectionId, check: await beginCheck(em, connectionId) });
    return readBack(em, services, connectionId);
  },
});
