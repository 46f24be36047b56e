import { backtestsUnderWay, endBacktest } from '../../db/watches/backtests.ts';
import { backtestEntry } from '../../temporal/backtest-watch.ts';
import type { ReconcileDeps } from '../agents/reconcile-coordinators.ts';
import { each, eachWorkspace } from '../outbox/each.ts';

const ENDED = 'Its workflow was ended in Temporal. Backtest the watch again.';

/**
 * Starts the workflow of every open backtest that Temporal has lost, where it goes on from the record; and brings
 * backtests to their end whose workflow was terminated there, so that no watch waits for one.
 */
export async function reconcileBacktests({
  database,
  temporal,
}: Pick<ReconcileDeps, 'database' | 'temporal'>): Promise<void> {
  await eachWorkspace(database, async (em, workspaceId) => {
    await each(await backtestsUnderWay(em, workspaceId), async (backtest) => {
      const entry = backtestEntry(backtest);
      await temporal.deliver(entry);
      if (await temporal.isOver(entry.workflowId)) await endBacktest(em, backtest, 'failed', ENDED);
    });
  });
}
