import { anyId, asId } from './expressions.ts';

/** What a read may touch: every query of an agent's data takes one, and none finds by a bare id. */
export interface ReadScope {
  /** The workspace that owns the agents; for the shared demo agents that is not the reader's own. */
  workspaceId: string;
  agentIds: readonly string[];
}

/**
 * What a column that holds the agent must equal. One agent, the usual case, is an equality: only then does an index that
 * begins with the agent hand out its rows in order.
 */
export function anyAgent({ agentIds }: ReadScope) {
  const [only, second] = agentIds;
  return only !== undefined && second === undefined ? asId(only) : anyId(agentIds);
}
