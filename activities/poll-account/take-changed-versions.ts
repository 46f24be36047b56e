import type { EntityManager } from '../../src/db/database.ts';
import { noteVersionsTaken, type PolledAgent } from '../../src/db/imports/account-polls.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import { type PlatformAdapter, PlatformError } from '../../src/platforms/port.ts';
import type { ActivityDeps } from '../deps.ts';
import { takeVersions } from '../import-calls/capture-versions.ts';
import { openAgentPlatform } from '../shared/agent-platform.ts';

/** Versions of so many agents at one look, or of this share where it is more; the others have their turn at the next ones. */
const AGENTS_AT_ONCE = 5;
/** Where the platform shows what changes, an agent is looked at now and then for what it does not show. */
const TAKEN_EVERY_S = { shown: 3_600, hidden: 900 } as const;
/** Each has its turn within the shorter of these times, at a look a minute. */
const SHARE_AT_ONCE = 60 / TAKEN_EVERY_S.hidden;

/**
 * Takes the versions of agents of which something changed, as far as the platform shows that of all agents at once, and
 * of each agent now and then. An import takes them too, so that calls never come before their version.
 */
export async function takeChangedVersions(
  deps: ActivityDeps,
  em: EntityManager,
  { adapter, connection }: { adapter: PlatformAdapter; connection: PlatformConnection },
  agents: readonly PolledAgent[],
): Promise<void> {
  const marks = await marksOf(adapter, connection);
  for (const agent of agentsToTake(agents, marks)) {
    const platform = await openAgentPlatform(deps, em, agent.agentId);
    await takeVersions(deps, agent, platform);
    await noteVersionsTaken(em, agent.agentId, marks?.get(agent.providerAgentId) ?? null);
  }
}

/** Null where the platform shows none, or not to this key. */
async function marksOf(
  adapter: PlatformAdapter,
  connection: PlatformConnection,
): Promise<ReadonlyMap<string, string> | null> {
  try {
    return (await adapter.listVersionMarks?.(connection)) ?? null;
  } catch (error) {
    const mayBeMissing: string[] = ['not_found', 'rejected', 'unauthorised'];
    if (error instanceof PlatformError && mayBeMissing.includes(error.kind)) return null;
    throw error;
  }
}

/** Those that changed first, then those that were not looked at for the longest time. */
export function agentsToTake<Agent extends Pick<PolledAgent, 'providerAgentId' | 'versionMark' | 'versionsTakenAgoS'>>(
  agents: readonly Agent[],
  marks: ReadonlyMap<string, string> | null,
): Agent[] {
  const ageOf = ({ versionsTakenAgoS }: Agent) => versionsTakenAgoS ?? Number.POSITIVE_INFINITY;
  const hasChanged = ({ providerAgentId, versionMark }: Agent) =>
    marks !== null && (marks.get(providerAgentId) ?? null) !== versionMark;
  const every = marks === null ? TAKEN_EVERY_S.hidden : TAKEN_EVERY_S.shown;
  return agents
    .filter((agent) => hasChanged(agent) || ageOf(agent) >= every)
    .toSorted((a, b) => Number(hasChanged(b)) - Number(hasChanged(a)) || (ageOf(b) > ageOf(a) ? 1 : -1))
    .slice(0, Math.max(AGENTS_AT_ONCE, Math.ceil(agents.length * SHARE_AT_ONCE)));
}
