import { openBackfills } from '../../db/custom-metrics/backfill.ts';
import { backfillMetricEntry } from '../../temporal/backfill-metric.ts';
import type { ReconcileDeps } from '../agents/reconcile-coordinators.ts';
import { each, eachWorkspace } from '../outbox/each.ts';

/** Starts the workflow of every backfill under way that Temporal has lost; it begins anew, which changes no value. */
export async function reconcileBackfills({
  database,
  temporal,
}: Pick<ReconcileDeps, 'database' | 'temporal'>): Promise<void> {
  await eachWorkspace(database, async (em, workspaceId) => {
    await each(await openBackfills(em, workspaceId), async (metric) => {
      await temporal.deliver(backfillMetricEntry(metric));
    });
  });
}
