import type { SealedPlace } from '../../secrets.ts';

/** The places of sealed values: which column of which row they were sealed for. `SEALED_COLUMNS` names the same rows. */
const place = (column: string, workspaceId: string, ...row: readonly (string | number)[]): SealedPlace => ({
  column,
  workspaceId,
  row: row.join('/'),
});

export const connectionKeyPlace = (workspaceId: string, connectionId: string) =>
  place('platform_connections.sealed_key', workspaceId, connectionId);

export const connectionSecretPlace = (workspaceId: string, connectionId: string) =>
  place('platform_connections.sealed_webhook_secret', workspaceId, connectionId);

export const chatKeyPlace = (workspaceId: string, agentId: string) =>
  place('agents.sealed_chat_key', workspaceId, agentId);

export const channelAddressPlace = (workspaceId: string, channelId: string) =>
  place('channels.sealed_address', workspaceId, channelId);

/** Of the secret in force and of the one before, which moves from column to column as it is. */
export const webhookSecretPlace = (workspaceId: string, webhookId: string) =>
  place('webhooks.sealed_secret', workspaceId, webhookId);

export const modelKeyPlace = (workspaceId: string) => place('workspace_models.sealed_key', workspaceId, workspaceId);

export const erasureNumberPlace = (workspaceId: string, erasureId: string) =>
  place('erasures.sealed_number', workspaceId, erasureId);

export const failurePlace = (workspaceId: string, agentId: string, ref: string) =>
  place('import_failures.sealed_payload', workspaceId, agentId, ref);

export const uploadedLinePlace = (workspaceId: string, importId: string, line: number) =>
  place('uploaded_records.sealed_payload', workspaceId, importId, line);

export const spanBatchPlace = (workspaceId: string, agentId: string, traceId: string, digest: string) =>
  place('span_batches.sealed', workspaceId, agentId, traceId, digest);

export const payloadPlace = (workspaceId: string, callId: string) => place('raw_payloads.sealed', workspaceId, callId);

/** Of a key of the installation, which belongs to no workspace. */
export const installationKeyPlace = (name: string) => place('installation_keys.sealed', '', name);
