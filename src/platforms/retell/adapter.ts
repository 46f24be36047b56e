import { isJsonObject } from '../../domain/json.ts';
import { SIMULATION_TERMS } from '../../domain/runs/simulation-terms.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { createPlatformClient, type PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { type PlatformAdapter, type PlatformAgent, PlatformError } from '../port.ts';
import { captureRetellVersion } from './capture.ts';
import { isOver, listRetellCalls } from './list-calls.ts';
import { normaliseRetell } from './normalise.ts';
import { retellAgentItem, retellPage } from './payloads.ts';
import { createRetellSimulation } from './playground.ts';
import { listRetellVersions } from './versions.ts';

const AGENT_PAGES = 20;

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
    captureVersion: (connection, providerAgentId, { version }) =>
      captureRetellVersion({
        client,
        connection,
        providerAgentId,
        version: version ?? 0,
        digestSecret: options.digestSecret,
      }),
    normalise: (payload) => normaliseRetell(payload, nowMs()),
  };
}

/** Voice agents only: chats have no calls. */
async function listAgents(client: PlatformClient, connection: PlatformConnection): Promise<PlatformAgent[]> {
  const agents = new Map<string, PlatformAgent>();
  let key: string | null = null;
  for (let pages = 0; pages < AGENT_PAGES; pages += 1) {
    const after: string = key === null ? '' : `&pagination_key=${encodeURIComponent(key)}`;
    const body = await client.send(connection, {
      method: 'POST',
      path: `/v2/list-agents?limit=1000${after}`,
      doing: 'listing agents',
      json: { filter_criteria: { channel: { type: 'string', op: 'eq', value: 'voice' } } },
    });
    const page = retellPage.safeParse(body);
    if (!page.success) throw new PlatformError('bad_answer', 'The list of agents did not have the documented shape.');
    for (const item of page.data.items) {
      const agent = retellAgentItem.safeParse(item);
      if (!agent.success) continue;
      const { agent_id: providerAgentId, agent_name: name } = agent.data;
      agents.set(providerAgentId, { providerAgentId, name: name ?? providerAgentId });
    }
    key = page.data.has_more === false ? null : page.data.pagination_key;
    if (key === null) break;
  }
  return [...agents.values()];
}
