import { type RawBuilder, sql } from 'kysely';

/** What a read may touch: every query of an agent's data takes one, and none finds by a bare id. */
export interface ReadScope {
  /** The workspace that owns the agents; for the shared demo agents that is not the reader's own. */
  workspaceId: string;
  agentIds: readonly string[];
}

/**
 * The condition on a column that holds the agent. One agent, the usual case, is an equality: only then does an index
 * that begins with the agent hand out its rows in order.
 */
export function ofAgents(column: string, scope: ReadScope): RawBuilder<boolean> {
  const [only, second] = scope.agentIds;
  if (only !== undefined && second === undefined) return sql<boolean>`${sql.ref(column)} = ${only}::uuid`;
  return sql<boolean>`${sql.ref(column)} = any(${[...scope.agentIds]}::uuid[])`;
}
