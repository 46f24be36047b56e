import { isJsonObject } from '../../domain/json.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { textOf } from '../lenient.ts';
import { createPlatformClient } from '../platform-client.ts';
import { type PlatformAdapter, PlatformError } from '../port.ts';
import { listVapiAgents, readAgent } from './agents.ts';
import { captureVapi } from './capture.ts';
import { createVapiSimulation } from './chat.ts';
import { listVapiAccount, listVapiCalls } from './list-calls.ts';
import { isOver, normaliseVapi } from './normalise.ts';
import { vapiCall } from './payloads.ts';
import { numberOfVersion } from './version-label.ts';

export interface VapiAdapterOptions {
  outbound: Outbound;
  digestSecret(secret: string): string;
  nowMs?: () => number;
}

export function createVapiAdapter({ outbound, digestSecret, nowMs = Date.now }: VapiAdapterOptions): PlatformAdapter {
  const client = createPlatformClient(outbound, 'Vapi');
  return {
    platform: 'vapi',
    defaultBaseUrl: 'https://api.vapi.ai',
    simulation: createVapiSimulation(client),
    async checkKey(connection) {
      await client.send(connection, { method: 'GET', path: '/assistant?limit=1', doing: 'checking the key' });
    },
    listAgents: (connection) => listVapiAgents(client, connection),
    listCalls: (connection, query) => listVapiCalls(client, connection, query, nowMs()),
    listAccountCalls: (connection, query) => listVapiAccount(client, connection, query, nowMs()),
    filtersByAgents: false,
    async getCall(connection, providerCallId) {
      try {
        const path = `/call/${encodeURIComponent(providerCallId)}`;
        const payload = await client.send(connection, { method: 'GET', path, doing: 'reading a call' });
        if (!isJsonObject(payload)) throw new PlatformError('bad_answer', 'Vapi sent a call that is no object.');
        const call = vapiCall.parse(payload);
        if (call.endedReason === 'call-deleted') return { state: 'gone' };
        return isOver(call) ? { state: 'over', payload } : { state: 'ongoing' };
      } catch (error) {
        if (error instanceof PlatformError && error.kind === 'not_found') return { state: 'gone' };
        throw error;
      }
    },
    /** Only what is live can be read: each version is captured while it is. */
    async listVersions(connection, providerAgentId) {
      const { body } = await readAgent(client, connection, providerAgentId);
      return [{ version: numberOfVersion(textOf(body.latestVersion)), ref: null, isCurrent: true }];
    },
    async captureVersion(connection, providerAgentId) {
      return { ...(await captureVapi(client, connection, providerAgentId, digestSecret)), isCurrent: true };
    },
    recordingOf(payload, _connection, wanted) {
      const { artifact } = vapiCall.parse(payload);
      const recording = isJsonObject(artifact?.recording) ? artifact.recording : {};
      const mixed = textOf(artifact?.recordingUrl);
      const apart = textOf(recording.stereoUrl) ?? textOf(artifact?.stereoRecordingUrl);
      const url = wanted === 'separate' ? (apart ?? mixed) : (mixed ?? apart);
      return url === null ? null : { url, headers: {} };
    },
    normalise: (payload) => normaliseVapi(payload, nowMs()),
  };
}
