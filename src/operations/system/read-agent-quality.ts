import { type AgentSums, readAgentSums } from '../../db/metrics/agent-quality.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import { figureOf, NO_BINS } from '../../domain/metrics/figures.ts';
import type { Services } from '../services.ts';

const DAYS = 30;
/** Each has a dozen series; a monitoring system pays for every one. */
const AGENTS_AT_MOST = 500;

/** Of an agent's calls of the last 30 days; what nobody can know is null. */
export interface AgentQuality {
  agentId: string;
  workspaceId: string;
  calls: number;
  openIssues: number;
  /** Shares as the board counts them. */
  outcomes: Record<'resolved' | 'unresolved' | 'abandoned' | 'transferred' | 'no_contact', number | null>;
  toolFailure: number | null;
  friction: number | null;
}

export interface QualityOfAll {
  agents: AgentQuality[];
  /** Agents with calls beyond as many as are told of: those with the fewest. */
  leftOut: number;
}

/** Over all workspaces, each read in its own scope: for the operator, never for a member. */
export async function readAgentQuality({ database }: Pick<Services, 'database'>): Promise<QualityOfAll> {
  const all: (AgentSums & { workspaceId: string })[] = [];
  for (const workspaceId of await listWorkspaceIds(database.unscoped())) {
    const sums = await readAgentSums(database.within(workspaceId), workspaceId, DAYS);
    all.push(...sums.map((one) => ({ ...one, workspaceId })));
  }
  all.sort((a, b) => b.sums.calls - a.sums.calls || (a.agentId < b.agentId ? -1 : 1));
  const told = all.slice(0, AGENTS_AT_MOST);
  return { agents: told.map(qualityOf), leftOut: all.length - told.length };
}

function qualityOf({ agentId, workspaceId, sums, openIssues }: AgentSums & { workspaceId: string }): AgentQuality {
  const share = (metric: string) => figureOf(metric, sums, NO_BINS).value;
  return {
    agentId,
    workspaceId,
    calls: sums.calls,
    openIssues,
    outcomes: {
      resolved: share('got_it_done'),
      unresolved: share('unresolved'),
      abandoned: share('abandoned'),
      transferred: share('handed_off'),
      no_contact: share('no_contact'),
    },
    toolFailure: share('tool_failure'),
    friction: share('friction'),
  };
}
