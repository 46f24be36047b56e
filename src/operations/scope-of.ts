import type { AgentView } from '../db/agents/read-agents.ts';
import type { ReadScope } from '../db/read-scope.ts';

/** The agent has been found within the caller's reach, so its own workspace is the one to read in. */
export function scopeOf(agent: AgentView): ReadScope {
  return { workspaceId: agent.workspaceId, agentIds: [agent.id] };
}
