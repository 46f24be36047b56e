import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { findPlanned } from '../planned.ts';
import type { Row } from '../tables.ts';

/** An agent as reads see it. */
export type AgentView = Pick<Row<'agents'>, (typeof COLUMNS)[number]>;

const COLUMNS = [
  'id',
  'workspaceId',
  'name',
  'provider',
  'providerAgentId',
  'source',
  'currentVersion',
  'setupStatus',
  'onboardingStep',
  'readOnly',
  'graceDays',
  'boardSource',
  'thresholds',
  'callCount',
  'openIssueCount',
  'versionCount',
  'testCount',
  'newestCallAt',
  'createdAt',
  'updatedAt',
] as const;

/** What a caller can see at most: the agents of a workspace and the shared demo agents, or one of them. */
export interface AgentReach {
  workspaceId: string;
  onlyAgentId: string | null;
}

function reachable(em: EntityManager, { workspaceId, onlyAgentId }: AgentReach) {
  const agents = db(em)
    .selectFrom('agents')
    .where((eb) => eb.or([eb('workspaceId', '=', workspaceId), eb('readOnly', '=', true)]))
    .where('erasing', '=', false)
    .select(COLUMNS);
  return onlyAgentId === null ? agents : agents.where('id', '=', onlyAgentId);
}

export function findReachableAgent(em: EntityManager, reach: AgentReach, agentId: string): Promise<AgentView | null> {
  return findPlanned(em, reachable(em, reach).where('id', '=', agentId));
}

/** Newest first; the order never changes. `after` is the last row of the page before. */
export function listReachableAgents(em: EntityManager, reach: AgentReach, page: ListPage): Promise<AgentView[]> {
  const agents = reachable(em, reach);
  return newestFirst(agents, ['createdAt', 'id'], page).execute();
}
