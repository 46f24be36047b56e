import type { IngestTokenResource } from '../../contract/ingest-token.ts';
import { findIngestToken, type IngestTokenView } from '../../db/system/ingest-tokens.ts';
import type { Parent } from '../operation.ts';

export const ingestTokenParent: Parent<IngestTokenView> = {
  param: 'tokenId',
  notFound: 'token_not_found',
  format: 'uuid',
  load: async (em, id, { principal }) =>
    principal.kind === 'person' ? findIngestToken(em, principal.workspaceId, id) : null,
};

export function presentIngestToken(token: IngestTokenView): IngestTokenResource {
  const { id, connectionId, agentId, name, prefix, lastUsedAt, createdAt, createdBy } = token;
  return { object: 'ingest_token', id, connectionId, agentId, name, prefix, lastUsedAt, createdAt, createdBy };
}
