import { ingestToken } from '../../contract/ingest-token.ts';
import { revokeIngestToken as revoke } from '../../db/system/ingest-tokens.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { connectionParent } from './connection.ts';
import { ingestTokenParent, presentIngestToken } from './ingest-token.ts';

export const revokeIngestToken = defineOperation({
  id: 'revokeIngestToken',
  surface: 'app',
  method: 'DELETE',
  path: '/app/connections/{connectionId}/tokens/{tokenId}',
  scope: 'person',
  role: 'admin',
  tag: 'Connections',
  summary: 'Revoke a token',
  description: 'At once and for good: what is sent with it from now on is refused.',
  parents: [connectionParent, ingestTokenParent],
  response: ingestToken,
  async run(context) {
    const token = context.parent(ingestTokenParent);
    const isOfConnection = token.connectionId === context.parent(connectionParent).id;
    if (!isOfConnection || !(await revoke(context.em, context.person().workspaceId, token.id))) {
      throw new Failure('token_not_found', 'This connection has no such token, or it was revoked already.');
    }
    return presentIngestToken(token);
  },
});
