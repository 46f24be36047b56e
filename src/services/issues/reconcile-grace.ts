import type { Database } from '../../db/database.ts';
import { agentsWithGrace } from '../../db/issues/grace.ts';
import type { TemporalGateway } from '../../temporal/client.ts';
import { startGraceEntry } from '../../temporal/grace-period.ts';
import { each, eachWorkspace, pagesOf } from '../outbox/each.ts';

const BATCH = 100;

/** Starts the grace workflows that are missing: after a Temporal server that lost its data, or one that was terminated. */
export async function reconcileGrace(deps: {
  database: Database;
  temporal: TemporalGateway;
}): Promise<{ graces: number }> {
  let graces = 0;
  await eachWorkspace(deps.database, async (em, workspaceId) => {
    const agents = pagesOf((afterId) => agentsWithGrace(em, workspaceId, afterId, BATCH), {
      idOf: ({ agentId }) => agentId,
      size: BATCH,
    });
    await each(agents, async (agent) => {
      await deps.temporal.deliver(startGraceEntry(agent));
      graces += 1;
    });
  });
  return { graces };
}
