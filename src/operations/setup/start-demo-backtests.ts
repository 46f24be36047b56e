import type { EntityManager } from '../../db/database.ts';
import { insertBacktest } from '../../db/watches/backtests.ts';
import { untestedDemoWatches } from '../../db/watches/suggestions.ts';
import { setWatchState } from '../../db/watches/watches.ts';
import { EARSHOT } from '../../domain/runs/shown-trigger.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { backtestEntry } from '../../temporal/backtest-watch.ts';

/**
 * Backtests the suggested watches of a demo agent once its import has ended, so that there are samples to label. Doing it
 * again changes nothing.
 */
export async function startDemoBacktests(em: EntityManager, agentId: string): Promise<void> {
  await em.transactional(async (tx) => {
    for (const { watchId, workspaceId, agentName } of await untestedDemoWatches(tx, agentId)) {
      await insertBacktest(tx, { workspaceId, agentId, watchId, revision: 1, createdBy: EARSHOT });
      await setWatchState(tx, watchId, 'backtesting');
      const entry = backtestEntry({ workspaceId, agentId, watchId, revision: 1, agentName });
      await addToOutbox(tx, { entry, workspaceId, agentId });
    }
  });
}
