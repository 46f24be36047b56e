import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { idOf, textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import { agentBody, branch, branchVersion } from './payloads.ts';

export interface ElevenLabsVersion {
  /** The platform's own id; it gives no numbers over all branches. */
  ref: string;
  isCurrent: boolean;
  changedAt: string | null;
}

const BRANCHES_AT_MOST = 20;

/**
 * Versions that the platform still names, oldest first. Current is the tip of the branch with the largest share of the
 * calls. Where branches can't be read, the agent's own version is all there is.
 */
export async function listElevenLabsVersions(
  client: PlatformClient,
  connection: PlatformConnection,
  agentId: string,
): Promise<ElevenLabsVersion[]> {
  const path = `/v1/convai/agents/${encodeURIComponent(agentId)}`;
  const agent = agentBody.parse(await readObject(client, connection, path, 'the agent'));
  const branches = await readBranches(client, connection, path);
  const versions = new Map<string, { ref: string; committedAtS: number }>();
  let current: { share: number; ref: string } | null = null;
  for (const one of branches) {
    const listed = (one.most_recent_versions ?? []).flatMap((entry) => {
      const read = branchVersion.safeParse(entry);
      if (!read.success || read.data.id === null) return [];
      return [{ ref: read.data.id, committedAtS: read.data.time_committed_secs ?? 0 }];
    });
    for (const version of listed) versions.set(version.ref, version);
    const tip = listed.toSorted((a, b) => b.committedAtS - a.committedAtS)[0];
    const share = one.current_live_percentage ?? 0;
    if (tip && share > (current?.share ?? 0)) current = { share, ref: tip.ref };
  }
  if (agent.version_id !== null && !versions.has(agent.version_id)) {
    versions.set(agent.version_id, { ref: agent.version_id, committedAtS: Number.MAX_SAFE_INTEGER });
  }
  const live = current?.ref ?? agent.version_id;
  return [...versions.values()]
    .toSorted((a, b) => a.committedAtS - b.committedAtS)
    .map(({ ref, committedAtS }) => ({ ref, isCurrent: ref === live, changedAt: isoOfSeconds(committedAtS) }));
}

/** The branch with the largest share of the calls; null where the agent has none that can be read. */
export async function liveBranch(
  client: PlatformClient,
  connection: PlatformConnection,
  agentId: string,
): Promise<string | null> {
  const branches = await readBranches(client, connection, `/v1/convai/agents/${encodeURIComponent(agentId)}`);
  const shares = branches.toSorted((a, b) => (b.current_live_percentage ?? 0) - (a.current_live_percentage ?? 0));
  const [first] = shares;
  return first && (first.current_live_percentage ?? 0) > 0 ? first.id : null;
}

async function readBranches(client: PlatformClient, connection: PlatformConnection, agentPath: string) {
  try {
    const body = await client.send(connection, {
      method: 'GET',
      path: `${agentPath}/branches`,
      doing: 'listing branches',
    });
    const entries = isJsonObject(body) ? (body.results ?? body.branches) : body;
    const known = (Array.isArray(entries) ? entries : []).filter(isJsonObject);
    const ids = known
      .filter(({ is_archived }) => is_archived !== true)
      .map(({ id }) => idOf(id))
      .filter((id) => id !== null);
    const branches = [];
    for (const id of ids.slice(0, BRANCHES_AT_MOST)) {
      const read = await readObject(client, connection, `${agentPath}/branches/${encodeURIComponent(id)}`, 'a branch');
      const listed = known.find((entry) => textOf(entry.id) === id);
      branches.push(branch.parse({ ...listed, ...read }));
    }
    return branches;
  } catch (error) {
    const mayBeMissing: string[] = ['not_found', 'rejected', 'unauthorised'];
    if (error instanceof PlatformError && mayBeMissing.includes(error.kind)) return [];
    throw error;
  }
}

export async function readObject(
  client: PlatformClient,
  connection: PlatformConnection,
  path: string,
  what: string,
): Promise<JsonObject> {
  const body = await client.send(connection, { method: 'GET', path, doing: `reading ${what}` });
  if (isJsonObject(body)) return body;
  throw new PlatformError('bad_answer', `The answer to reading ${what} was no object.`);
}

function isoOfSeconds(seconds: number): string | null {
  return seconds > 0 && seconds < 8.64e12 ? new Date(seconds * 1000).toISOString() : null;
}
