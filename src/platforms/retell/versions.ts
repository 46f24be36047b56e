import type { Json } from '../../domain/json.ts';
import { numberOf, textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import { pagesOf } from './pages.ts';
import { retellBoundAgent, retellNumberItem, retellPage, retellVersionItem } from './payloads.ts';

export interface ListedRetellVersion {
  version: number;
  published: boolean;
  /** The version that it was made of; null where the platform does not say. */
  base: number | null;
}

export async function listRetellVersions(
  client: PlatformClient,
  connection: PlatformConnection,
  providerAgentId: string,
): Promise<{ version: number; isCurrent: boolean }[]> {
  const listed = await readVersions(client, connection, providerAgentId);
  const bound = await boundVersion(client, connection, providerAgentId, listed);
  const published = listed.filter((version) => version.published);
  const current = bound ?? newest(published) ?? newest(listed);
  return listed.map(({ version }) => ({ version, isCurrent: version === current }));
}

const newest = (versions: ListedRetellVersion[]) => versions.at(-1)?.version ?? null;

/** Oldest first; a version listed twice counts once. */
export async function readVersions(
  client: PlatformClient,
  connection: PlatformConnection,
  agentId: string,
): Promise<ListedRetellVersion[]> {
  const path = `/list-agent-versions/${encodeURIComponent(agentId)}`;
  const versions = new Map<number, ListedRetellVersion>();
  for (const item of await pagesOf(client, connection, { path, doing: "listing the agent's versions" })) {
    const read = retellVersionItem.safeParse(item);
    const version = read.success ? read.data.version : null;
    if (version === null || !Number.isSafeInteger(version) || version < 0) continue;
    const base = numberOf(read.data?.base_version);
    versions.set(version, { version, published: read.data?.is_published === true, base });
  }
  return [...versions.values()].toSorted((a, b) => a.version - b.version);
}

/**
 * The version that answers the phone: of the numbers bound to the agent, the one with the largest share. Null where no
 * number is bound, or where the key may not read numbers.
 */
async function boundVersion(
  client: PlatformClient,
  connection: PlatformConnection,
  agentId: string,
  listed: ListedRetellVersion[],
): Promise<number | null> {
  const shares = new Map<number, number>();
  for (const bound of await readBoundAgents(client, connection, agentId)) {
    const version = resolveBinding(bound.agent_version, listed);
    if (version !== null) shares.set(version, (shares.get(version) ?? 0) + (bound.weight ?? 1));
  }
  const [largest] = [...shares].toSorted(([a, x], [b, y]) => y - x || b - a);
  return largest?.[0] ?? null;
}

/** What the numbers of the agent are bound to, as the platform writes it: a number, a tag, `latest` or `latest_published`. */
export async function readBindings(
  client: PlatformClient,
  connection: PlatformConnection,
  agentId: string,
): Promise<string[]> {
  const bound = await readBoundAgents(client, connection, agentId);
  return bound.map(({ agent_version }) => textOf(agent_version) ?? String(numberOf(agent_version) ?? 'latest'));
}

async function readBoundAgents(client: PlatformClient, connection: PlatformConnection, agentId: string) {
  const bound = await readAllBound(client, connection);
  return bound.filter(({ agent_id }) => agent_id === agentId);
}

/** What the numbers of an account are bound to, by agent, as the platform writes it. */
export async function readAllBindings(
  client: PlatformClient,
  connection: PlatformConnection,
): Promise<Map<string, Json>> {
  const byAgent = Map.groupBy(await readAllBound(client, connection), ({ agent_id }) => agent_id ?? '');
  return new Map(
    [...byAgent].map(([id, bound]) => [
      id,
      bound.map((one): Json => [textOf(one.agent_version) ?? numberOf(one.agent_version), one.weight]),
    ]),
  );
}

async function readAllBound(client: PlatformClient, connection: PlatformConnection) {
  try {
    const path = '/v2/list-phone-numbers?limit=1000';
    const body = await client.send(connection, { method: 'GET', path, doing: 'listing phone numbers' });
    const page = retellPage.safeParse(body);
    const numbers = page.success ? page.data.items : [];
    return numbers.flatMap((item) => {
      const number = retellNumberItem.safeParse(item);
      if (!number.success) return [];
      const bindings = [...(number.data.inbound_agents ?? []), ...(number.data.outbound_agents ?? [])];
      return bindings.flatMap((binding) => {
        const read = retellBoundAgent.safeParse(binding);
        return read.success ? [read.data] : [];
      });
    });
  } catch (error) {
    const mayBeMissing: string[] = ['not_found', 'rejected', 'unauthorised'];
    if (error instanceof PlatformError && mayBeMissing.includes(error.kind)) return [];
    throw error;
  }
}

/** `latest` is the highest number, drafts too; a tag that can't be resolved falls back to it, as on the platform. */
function resolveBinding(binding: unknown, listed: ListedRetellVersion[]): number | null {
  const pinned = numberOf(binding);
  if (pinned !== null) return listed.some(({ version }) => version === pinned) ? pinned : null;
  if (textOf(binding) === 'latest_published') return newest(listed.filter(({ published }) => published));
  return newest(listed);
}
