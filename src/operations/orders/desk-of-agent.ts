import type { Platform } from '../../domain/vocabulary.ts';
import type { DeskInput } from '../../durable/desk.ts';

/** What the desk of an agent is started with. A `file` agent has nothing to poll. */
export function deskOfAgent(
  agent: { agentId: string; workspaceId: string; name: string; provider: Platform },
  polling: { polls: boolean; pollSeconds: number },
): DeskInput {
  return {
    agentId: agent.agentId,
    workspaceId: agent.workspaceId,
    agentName: agent.name,
    pollSeconds: polling.polls && agent.provider !== 'file' ? polling.pollSeconds : null,
  };
}
