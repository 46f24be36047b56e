import { type Platform, sendsCalls } from '../../domain/vocabulary.ts';
import type { CoordinatorInput } from '../../temporal/agent-coordinator.ts';

/** What the coordinator of an agent is started with. There is nothing to poll where calls are sent. */
export function coordinatorOf(
  agent: { agentId: string; workspaceId: string; name: string; provider: Platform },
  polling: { polls: boolean; pollSeconds: number },
): CoordinatorInput {
  return {
    agentId: agent.agentId,
    workspaceId: agent.workspaceId,
    agentName: agent.name,
    pollSeconds: polling.polls && !sendsCalls(agent.provider) ? polling.pollSeconds : null,
  };
}
