import type { Platform } from '../../domain/vocabulary.ts';
import type { CoordinatorInput } from '../../temporal/agent-coordinator.ts';

/** What the coordinator of an agent is started with. A `file` agent has nothing to poll. */
export function coordinatorOf(
  agent: { agentId: string; workspaceId: string; name: string; provider: Platform },
  polling: { polls: boolean; pollSeconds: number },
): CoordinatorInput {
  return {
    agentId: agent.agentId,
    workspaceId: agent.workspaceId,
    agentName: agent.name,
    pollSeconds: polling.polls && agent.provider !== 'file' ? polling.pollSeconds : null,
  };
}
