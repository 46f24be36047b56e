import { z } from 'zod';
import { uuid } from '../../contract/common.ts';
import { newIngestToken } from '../../contract/ingest-token.ts';
import { plainText } from '../../contract/text.ts';
import { isAgentOfConnection } from '../../db/connections/connections.ts';
import { insertIngestToken } from '../../db/system/ingest-tokens.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { newIngestSecret, secretHash } from '../access/secrets.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { connectionParent } from './connection.ts';
import { presentIngestToken } from './ingest-token.ts';

export const createIngestToken = defineOperation({
  id: 'createIngestToken',
  surface: 'app',
  method: 'POST',
  path: '/app/connections/{connectionId}/tokens',
  scope: 'person',
  role: 'admin',
  tag: 'Connections',
  summary: 'Make a token that lets calls of one agent in',
  description:
    'For an agent of a connection whose platform sends its calls (livekit, pipecat, otel, file). The value is in this answer and never shown again; it reaches nothing but the two addresses beside it.',
  parents: [connectionParent],
  body: z.strictObject({ agentId: uuid, name: plainText(1, 100).optional() }),
  response: newIngestToken,
  showsSecret: true,
  async run(context, { body }) {
    const { em, services } = context;
    const { workspaceId, personId } = context.person();
    const connection = context.parent(connectionParent);
    if (!sendsCalls(connection.platform)) {
      const message = `Calls of ${connection.platform} are fetched with its key, so they need no token.`;
      throw new Failure('invalid_parameter', message, { param: 'connectionId' });
    }
    const agentId = body.agentId.toLowerCase();
    if (!(await isAgentOfConnection(em, connection.id, agentId))) {
      throw new Failure('agent_not_found', 'This connection has no agent with this id.', { param: 'agentId' });
    }
    const secret = newIngestSecret();
    const token = await insertIngestToken(em, {
      workspaceId,
      connectionId: connection.id,
      agentId,
      name: body.name ?? connection.platform,
      secretHash: secretHash(secret),
      prefix: secret.slice(0, 10),
      createdBy: personId,
    });
    const { publicUrl } = services;
    return {
      ...presentIngestToken(token),
      token: secret,
      records: `${publicUrl}/ingest/calls`,
      traces: `${publicUrl}/otlp/v1/traces`,
    };
  },
});
