import { type AgentSource, loadAgentSource } from '../../src/db/agents/agent-source.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { connectionKeyPlace } from '../../src/db/secrets/sealed-places.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import { type PlatformAdapter, PlatformError } from '../../src/platforms/port.ts';
import type { SealedPlace } from '../../src/secrets.ts';
import type { Asking } from '../../src/temporal/import-calls.ts';
import type { ActivityDeps } from '../deps.ts';
import { openAccountGate } from './account-gate.ts';

export interface AgentPlatform {
  source: AgentSource;
  adapter: PlatformAdapter;
  connection: PlatformConnection;
}

/** @throws PlatformError with what to do when the agent cannot be reached by what is stored. */
export async function openAgentPlatform(
  deps: Pick<ActivityDeps, 'platforms' | 'vault' | 'requestsASecond'>,
  em: EntityManager,
  agentId: string,
  asking: Asking = {},
): Promise<AgentPlatform> {
  const source = await requireSource(em, agentId);
  const adapter = deps.platforms.adapter(source.provider);
  const baseUrl = source.baseUrl ?? adapter.defaultBaseUrl;
  if (baseUrl === null) {
    const message = `The agent's platform (${source.provider}) has no address. Set one in its connection, then retry the import.`;
    throw new PlatformError('rejected', message);
  }
  const { connectionId } = source;
  const account =
    connectionId === null ? {} : { account: openAccountGate(deps, em, { ...source, connectionId }, asking) };
  return { source, adapter, connection: { baseUrl, apiKey: openConnectionKey(deps, source), ...account } };
}

export async function requireSource(em: EntityManager, agentId: string): Promise<AgentSource> {
  const source = await loadAgentSource(em, agentId);
  if (source === null) throw new PlatformError('not_found', 'The agent was deleted.');
  return source;
}

export function openConnectionKey(
  deps: Pick<ActivityDeps, 'vault'>,
  { workspaceId, connectionId, sealedKey }: Pick<AgentSource, 'workspaceId' | 'connectionId' | 'sealedKey'>,
): string {
  return connectionId === null ? '' : openKey(deps, sealedKey, connectionKeyPlace(workspaceId, connectionId));
}

export function openKey({ vault }: Pick<ActivityDeps, 'vault'>, sealedKey: string | null, place: SealedPlace): string {
  if (sealedKey === null) return '';
  try {
    return vault.open(sealedKey, place);
  } catch {
    const message = "The agent's key was stored under another EARSHOT_SECRET.";
    throw new PlatformError('unauthorised', message);
  }
}
