import type { Database } from '../../db/database.ts';
import { agentsWithGrace } from '../../db/issues/grace.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import type { TemporalGateway } from '../../temporal/client.ts';
import { startGraceEntry } from '../../temporal/grace-period.ts';

const BATCH = 100;

/** Starts the grace workflows that are missing: after a Temporal server that lost its data, or one that was terminated. */
export async function reconcileGrace(deps: {
  database: Database;
  temporal: TemporalGateway;
}): Promise<{ graces: number }> {
  let graces = 0;
  for (const workspaceId of await listWorkspaceIds(deps.database.unscoped())) {
    const em = deps.database.within(workspaceId);
    for (let afterId: string | null = null; ; ) {
      const agents = await agentsWithGrace(em, workspaceId, afterId, BATCH);
      for (const agent of agents) {
        await deps.temporal.deliver(startGraceEntry(agent));
        graces += 1;
      }
      if (agents.length < BATCH) break;
      afterId = agents.at(-1)?.agentId ?? null;
    }
  }
  return { graces };
}
