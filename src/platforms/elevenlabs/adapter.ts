import { isJsonObject } from '../../domain/json.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { textOf } from '../lenient.ts';
import { createPlatformClient } from '../platform-client.ts';
import { type PlatformAdapter, PlatformError } from '../port.ts';
import { listElevenLabsAgents } from './agents.ts';
import { captureElevenLabs } from './capture.ts';
import { listAccountConversations, listConversations } from './list-calls.ts';
import { isOver, normaliseElevenLabs } from './normalise.ts';
import { createElevenLabsSimulation } from './simulation.ts';
import { listElevenLabsVersions } from './versions.ts';

export interface ElevenLabsAdapterOptions {
  outbound: Outbound;
  digestSecret(secret: string): string;
  nowMs?: () => number;
}

const keyHeader = (apiKey: string) => ({ 'xi-api-key': apiKey });

export const elevenLabsClient = (outbound: Outbound) => createPlatformClient(outbound, 'ElevenLabs', keyHeader);

export function createElevenLabsAdapter(options: ElevenLabsAdapterOptions): PlatformAdapter {
  const { digestSecret, nowMs = Date.now } = options;
  const client = elevenLabsClient(options.outbound);
  return {
    platform: 'elevenlabs',
    defaultBaseUrl: 'https://api.elevenlabs.io',
    simulation: createElevenLabsSimulation(client),
    async checkKey(connection) {
      const path = '/v1/convai/agents?page_size=1';
      await client.send(connection, { method: 'GET', path, doing: 'checking the key' });
    },
    listAgents: (connection) => listElevenLabsAgents(client, connection),
    listCalls: (connection, query) => listConversations(client, connection, query, nowMs()),
    listAccountCalls: (connection, query) => listAccountConversations(client, connection, query, nowMs()),
    filtersByAgents: false,
    async getCall(connection, providerCallId) {
      try {
        const path = `/v1/convai/conversations/${encodeURIComponent(providerCallId)}`;
        const payload = await client.send(connection, { method: 'GET', path, doing: 'reading a call' });
        if (!isJsonObject(payload)) throw new PlatformError('bad_answer', 'ElevenLabs sent a call that is no object.');
        return isOver(textOf(payload.status)) ? { state: 'over', payload } : { state: 'ongoing' };
      } catch (error) {
        if (error instanceof PlatformError && error.kind === 'not_found') return { state: 'gone' };
        throw error;
      }
    },
    async listVersions(connection, providerAgentId) {
      const versions = await listElevenLabsVersions(client, connection, providerAgentId);
      return versions.map(({ ref, isCurrent }) => ({ version: null, ref, isCurrent }));
    },
    async captureVersion(connection, providerAgentId, { ref, isCurrent }) {
      if (ref === null)
        throw new PlatformError('not_found', 'ElevenLabs names its versions, and this one has no name.');
      const request = { agentId: providerAgentId, ref, digestSecret };
      const versions = await listElevenLabsVersions(client, connection, providerAgentId);
      const changedAt = versions.find((version) => version.ref === ref)?.changedAt ?? null;
      const captured = await captureElevenLabs(client, connection, request);
      return { ...captured, version: null, providerRef: ref, isCurrent, changedAt };
    },
    recordingOf(payload, { baseUrl, apiKey }) {
      const id = textOf(payload.conversation_id);
      if (payload.has_audio !== true || id === null) return null;
      const path = `/v1/convai/conversations/${encodeURIComponent(id)}/audio`;
      return { url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}`, headers: keyHeader(apiKey) };
    },
    normalise: (payload) => normaliseElevenLabs(payload, nowMs()),
  };
}
