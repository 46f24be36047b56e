import { dropOldOutboxEntries } from '../../db/system/outbox.ts';
import { startRetentionEntry } from '../../temporal/keep-retention.ts';
import { type ReconcileDeps, reconcileCoordinators } from '../agents/reconcile-coordinators.ts';
import { reconcilePublications } from '../drafts/reconcile-publications.ts';
import { reconcileErasures } from '../erasures/reconcile-erasures.ts';
import { reconcileGrace } from '../issues/reconcile-grace.ts';
import { renewReadings } from '../reanalyses/renew-readings.ts';
import { reconcileRuns } from '../runs/reconcile-runs.ts';
import { reconcileCopies } from '../runs/release-copies.ts';
import { reconcileWebhooks } from '../webhooks/reconcile-webhooks.ts';

/**
 * Brings Temporal to what PostgreSQL says: starts the workflows that are missing, brings to their end the rows whose
 * workflow was ended from outside, and does what is due now and then. With a sound server it changes nothing.
 * @param isFirst for the first time of a process, whose settings may be others than those before
 */
export async function reconcile(deps: ReconcileDeps, isFirst: boolean): Promise<void> {
  await reconcileCoordinators(deps, isFirst);
  await renewReadings(deps.database);
  await reconcileGrace(deps);
  await reconcileRuns(deps);
  await reconcilePublications(deps);
  await reconcileCopies(deps);
  await reconcileWebhooks(deps.database);
  await reconcileErasures(deps.database);
  await deps.temporal.deliver(startRetentionEntry());
  await dropOldOutboxEntries(deps.database.unscoped());
}
