import type { AgentView } from '../db/queries/read-agents.ts';
import type { ReadScope } from '../db/queries/read-scope.ts';

/** The agent has been found within the caller's reach, so its own workspace is the one to read in. */
export function scopeOf(agent: AgentView): ReadScope {
  return { workspaceId: agent.workspaceId, agentIds: [agent.id] };
}
