import type { EntityManager } from '../../src/db/database.ts';
import { erasedRefs } from '../../src/db/erasures/tombstones.ts';
import { type AgentsCall, knownCalls, nameOf } from '../../src/db/imports/account-polls.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import {
  type AccountListing,
  type AccountPage,
  type PlatformAdapter,
  PlatformError,
} from '../../src/platforms/port.ts';
import type { ActivityDeps } from '../deps.ts';

/** As many calls as a platform gives at most. */
export const PAGE_SIZE = 1_000;
/** A platform that does not take so few agents in one list takes none but single ones. */
const FEWEST_AGENTS = 10;

export interface AccountReading {
  deps: Pick<ActivityDeps, 'vault'>;
  em: EntityManager;
  adapter: PlatformAdapter;
  connection: PlatformConnection;
}

interface ListedAgent {
  agentId: string;
  workspaceId: string;
  providerAgentId: string;
}

/**
 * Lists agents together. Where the platform does not take a list of so many, half as many are asked for, and so on: of
 * `n` agents that takes `log2(n)` refused requests, and as many again for each few agents that are refused beside others
 * that are not.
 * @param list false where the platform takes no list of these agents
 * @returns agents that it lists neither together nor in groups
 */
export async function listInGroups<Agent>(
  { filtersByAgents }: Pick<PlatformAdapter, 'filtersByAgents'>,
  agents: readonly Agent[],
  list: (group: readonly Agent[]) => Promise<boolean>,
): Promise<readonly Agent[]> {
  const refused: Agent[] = [];
  let [mostTaken, size, refusals]: [number, number, number] = [0, agents.length, 0];
  for (let at = 0; at < agents.length; ) {
    const group = agents.slice(at, at + size);
    const isTaken = await list(group);
    if (!isTaken && filtersByAgents && group.length > FEWEST_AGENTS) {
      size = Math.ceil(group.length / 2);
      continue;
    }
    at += group.length;
    mostTaken = Math.max(mostTaken, isTaken ? group.length : 0);
    if (isTaken) continue;
    // One of these agents may be what is refused. Where none of others is taken either, nothing is.
    refused.push(...group);
    refusals += 1;
    if (mostTaken === 0 && refusals > 1) return agents;
    size = mostTaken || agents.length;
  }
  return refused;
}

/** Null where the platform does not take what is asked, or a cursor of its own. */
export async function orRefused(asked: Promise<AccountPage>): Promise<AccountPage | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PlatformError && ['rejected', 'not_found'].includes(error.kind)) return null;
    throw error;
  }
}

/** The platform's names of agents, each once. */
export const namesOf = (agents: readonly ListedAgent[]) => [
  ...new Set(agents.map(({ providerAgentId }) => providerAgentId)),
];

/** A call of a list, and whose it is. */
export interface Owned<Agent> {
  agent: Agent;
  item: AccountListing;
}

export function ownedBy<Agent extends ListedAgent>(
  agents: readonly Agent[],
): (items: readonly AccountListing[]) => Owned<Agent>[] {
  const byProvider = Map.groupBy(agents, ({ providerAgentId }) => providerAgentId);
  return (items) =>
    items.flatMap((item) =>
      item.providerAgentIds.flatMap((id) => (byProvider.get(id) ?? []).map((agent) => ({ agent, item }))),
    );
}

/** Of calls that are over: those that are neither known nor erased, and those that are known as kept with a reason. */
export async function sortOut<Agent extends ListedAgent>(
  { deps, em }: Pick<AccountReading, 'deps' | 'em'>,
  found: readonly Owned<Agent>[],
): Promise<{ unknown: Owned<Agent>[]; failed: AgentsCall[] }> {
  const over = found.filter(({ item }) => item.over);
  const callOf = ({ agent, item }: Owned<Agent>) => ({ agentId: agent.agentId, ref: item.providerCallId });
  const known = await knownCalls(em, over.map(callOf));
  const byAgent = Map.groupBy(
    over.filter((one) => !known.has(nameOf(callOf(one)))),
    ({ agent }) => agent,
  );
  const unknown: Owned<Agent>[] = [];
  for (const [agent, own] of byAgent) {
    const refs = own.map(({ item }) => item.providerCallId);
    const erased = await erasedRefs(em, deps.vault, agent, refs);
    unknown.push(...own.filter(({ item }) => !erased.has(item.providerCallId)));
  }
  return { unknown, failed: over.map(callOf).filter((call) => known.get(nameOf(call))?.failed) };
}
