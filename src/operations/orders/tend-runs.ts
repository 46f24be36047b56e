import type { Database } from '../../db/database.ts';
import { type RunUnderWay, runsUnderWay } from '../../db/queries/runs.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import type { Order } from '../../durable/orders.ts';
import { rescoreOrder, runOrder } from '../../durable/run.ts';
import type { TemporalGateway } from '../temporal.ts';

const BATCH = 100;
const ENDED = 'Its workflow was ended in Temporal. Start another.';

/**
 * Starts the workflow of every open run that Temporal has lost, where it goes on from the record; and brings runs to
 * their end whose workflow was terminated there, so that none stays open with its money held.
 * @returns how many were brought to their end.
 */
export async function tendRuns({
  database,
  temporal,
}: {
  database: Database;
  temporal: TemporalGateway;
}): Promise<number> {
  let ended = 0;
  for (const workspaceId of await listWorkspaceIds(database.unscoped())) {
    const em = database.within(workspaceId);
    for (let afterId: string | null = null; ; ) {
      const runs = await runsUnderWay(em, workspaceId, afterId, BATCH);
      for (const run of runs) {
        const order = orderOf(workspaceId, run);
        await temporal.deliver(order);
        if (!(await temporal.isOver(order.workflowId))) continue;
        await temporal.deliver(orderOf(workspaceId, run, ENDED));
        ended += 1;
      }
      if (runs.length < BATCH) break;
      afterId = runs.at(-1)?.runId ?? null;
    }
  }
  return ended;
}

function orderOf(workspaceId: string, run: RunUnderWay, ended?: string): Order {
  const { runId, agentId, agentName, retries, rescore } = run;
  const input = { runId, agentId, workspaceId, agentName, ...(ended === undefined ? {} : { ended }) };
  if (rescore !== null) return rescoreOrder({ ...input, nth: rescore });
  return runOrder({ ...input, ...(retries > 0 ? { retry: retries } : {}) });
}
