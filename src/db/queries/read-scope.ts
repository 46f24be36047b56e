/** What a read may touch: every query of an agent's data takes one, and none finds by a bare id. */
export interface ReadScope {
  /** The workspace that owns the agents; for the shared demo agents that is not the reader's own. */
  workspaceId: string;
  agentIds: readonly string[];
}
