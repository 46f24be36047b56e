import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { SIMULATION_TERMS } from '../../domain/runs/simulation-terms.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { isCopyName } from '../copies.ts';
import { textOf } from '../lenient.ts';
import { createPlatformClient, type PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { type PlatformAdapter, type PlatformAgent, PlatformError, type RecordingPlace } from '../port.ts';
import { captureRetellVersion } from './capture.ts';
import { isOver, listRetellAccount, listRetellCalls } from './list-calls.ts';
import { normaliseRetell } from './normalise.ts';
import { listVoiceAgents } from './pages.ts';
import { retellAgentItem, retellCall } from './payloads.ts';
import { createRetellSimulation } from './playground.ts';
import { listRetellMarks } from './version-marks.ts';
import { listRetellVersions } from './versions.ts';

export interface RetellAdapterOptions {
  outbound: Outbound;
  /** `demo` is our own platform, which speaks the same interface. */
  platform: 'retell' | 'demo';
  label: string;
  defaultBaseUrl: string | null;
  /** Turns a secret of a configuration into a stable text from which it can't be found again. */
  digestSecret(secret: string): string;
  nowMs?: () => number;
}

export function createRetellAdapter(options: RetellAdapterOptions): PlatformAdapter {
  const client = createPlatformClient(options.outbound, options.label);
  const nowMs = options.nowMs ?? Date.now;
  return {
    platform: options.platform,
    defaultBaseUrl: options.defaultBaseUrl,
    simulation: createRetellSimulation(client, SIMULATION_TERMS[options.platform]),
    async checkKey(connection) {
      await client.send(connection, { method: 'GET', path: '/get-api-key-info', doing: 'checking the key' });
    },
    listAgents: (connection) => listAgents(client, connection),
    listCalls: (connection, query) => listRetellCalls(client, connection, query, nowMs()),
    listAccountCalls: (connection, query) => listRetellAccount(client, connection, query, nowMs()),
    filtersByAgents: true,
    async getCall(connection, providerCallId) {
      try {
        const path = `/v2/get-call/${encodeURIComponent(providerCallId)}`;
        const payload = await client.send(connection, { method: 'GET', path, doing: 'reading a call' });
        if (!isJsonObject(payload))
          throw new PlatformError('bad_answer', `${options.label} sent a call that is no object.`);
        return isOver(payload) ? { state: 'over', payload } : { state: 'ongoing' };
      } catch (error) {
        if (error instanceof PlatformError && error.kind === 'not_found') return { state: 'gone' };
        throw error;
      }
    },
    async listVersions(connection, providerAgentId) {
      const listed = await listRetellVersions(client, connection, providerAgentId);
      return listed.map((version) => ({ ...version, ref: null }));
    },
    listVersionMarks: (connection) => listRetellMarks(client, connection),
    captureVersion: (connection, providerAgentId, { version }) =>
      captureRetellVersion({
        client,
        connection,
        providerAgentId,
        version: version ?? 0,
        digestSecret: options.digestSecret,
      }),
    recordingOf(payload, { baseUrl, apiKey }, wanted) {
      if (options.platform === 'demo') return demoRecording(payload, { baseUrl, apiKey });
      // The scrubbed one, where the agent's data is: the other holds what was taken out of it.
      const apart =
        wanted === 'separate'
          ? (textOf(payload.scrubbed_recording_multi_channel_url) ??
            (textOf(payload.scrubbed_recording_url) === null ? textOf(payload.recording_multi_channel_url) : null))
          : null;
      const url = apart ?? textOf(payload.scrubbed_recording_url) ?? textOf(payload.recording_url);
      return url === null ? null : { url, headers: {} };
    },
    normalise: (payload) => normaliseRetell(payload, nowMs()),
  };
}

/** The demo platform plays its invented calls itself, where one connected. */
function demoRecording(payload: JsonObject, { baseUrl, apiKey }: PlatformConnection): RecordingPlace | null {
  const { call_id: id, transcript_object: spoken } = retellCall.parse(payload);
  if (spoken === null) return null;
  const url = `${baseUrl}/demo/recordings/${encodeURIComponent(String(id))}.wav`;
  return { url, headers: { authorization: `Bearer ${apiKey}` } };
}

async function listAgents(client: PlatformClient, connection: PlatformConnection): Promise<PlatformAgent[]> {
  const agents = (await listVoiceAgents(client, connection)).flatMap((item) => {
    const agent = retellAgentItem.safeParse(item);
    if (!agent.success) return [];
    const { agent_id: providerAgentId, agent_name: name } = agent.data;
    return isCopyName(name ?? '') ? [] : [{ providerAgentId, name: name ?? providerAgentId }];
  });
  return [...new Map(agents.map((agent) => [agent.providerAgentId, agent])).values()];
}
