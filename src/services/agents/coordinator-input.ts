import { type Platform, sendsCalls } from '../../domain/vocabulary.ts';
import type { CoordinatorInput } from '../../temporal/agent-coordinator.ts';

/**
 * What the coordinator of an agent is started with. It looks only when it is told to: the poller of the agent's account
 * looks for all its agents, and there is nothing to poll where calls are sent.
 */
export function coordinatorOf(
  agent: { agentId: string; workspaceId: string; name: string; provider: Platform },
  polling: { polls: boolean } = { polls: true },
): CoordinatorInput {
  return {
    agentId: agent.agentId,
    workspaceId: agent.workspaceId,
    agentName: agent.name,
    pollSeconds: null,
    ...(polling.polls && !sendsCalls(agent.provider) ? { polledByAccount: true } : {}),
  };
}
