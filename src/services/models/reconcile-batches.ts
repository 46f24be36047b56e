import { openBatches } from '../../db/models/model-batches.ts';
import { readBatchEntry } from '../../temporal/read-batch.ts';
import type { ReconcileDeps } from '../agents/reconcile-coordinators.ts';
import { each, eachWorkspace } from '../outbox/each.ts';

/** Starts the workflow of every open batch that Temporal has lost: what was handed over is not handed over again. */
export async function reconcileBatches({
  database,
  temporal,
}: Pick<ReconcileDeps, 'database' | 'temporal'>): Promise<void> {
  await eachWorkspace(database, async (em, workspaceId) => {
    await each(await openBatches(em, workspaceId), async (batch) => {
      await temporal.deliver(readBatchEntry(batch));
    });
  });
}
