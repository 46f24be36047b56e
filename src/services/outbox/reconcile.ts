import { dropOldOutboxEntries } from '../../db/system/outbox.ts';
import { settleStorage } from '../../db/system/storage.ts';
import { startRetentionEntry } from '../../temporal/keep-retention.ts';
import { type ReconcileDeps, reconcileCoordinators } from '../agents/reconcile-coordinators.ts';
import { reconcileAlarms } from '../alarms/reconcile-alarms.ts';
import { reconcileBackfills } from '../custom-metrics/reconcile-backfills.ts';
import { reconcilePublications } from '../drafts/reconcile-publications.ts';
import { reconcileErasures } from '../erasures/reconcile-erasures.ts';
import { reconcileGrace } from '../issues/reconcile-grace.ts';
import { reconcileBatches } from '../models/reconcile-batches.ts';
import { renewReadings } from '../reanalyses/renew-readings.ts';
import { reconcileRuns } from '../runs/reconcile-runs.ts';
import { reconcileCopies } from '../runs/release-copies.ts';
import { reconcileBacktests } from '../watches/reconcile-backtests.ts';
import { reconcileWebhooks } from '../webhooks/reconcile-webhooks.ts';
import { each, eachWorkspace } from './each.ts';

/**
 * Brings Temporal to what PostgreSQL says: starts the workflows that are missing, brings to their end the rows whose
 * workflow was ended from outside, and does what is due now and then. With a sound server it changes nothing.
 * @param isFirst for the first time of a process, whose settings may be others than those before
 * @throws AggregateError with what could not be done, once all the rest is; at once where a server is away
 */
export function reconcile(deps: ReconcileDeps & { storageMib: number | null }, isFirst: boolean): Promise<void> {
  const { database, temporal } = deps;
  const steps: (() => Promise<unknown>)[] = [
    () => reconcileCoordinators(deps, isFirst),
    () => renewReadings(database),
    () => reconcileGrace(deps),
    () => reconcileRuns(deps),
    () => reconcilePublications(deps),
    () => reconcileBacktests(deps),
    () => reconcileBackfills(deps),
    () => reconcileAlarms(deps),
    () => reconcileBatches(deps),
    () => reconcileCopies(deps),
    () => reconcileWebhooks(database),
    () => reconcileErasures(database),
    () => temporal.deliver(startRetentionEntry()),
    () => eachWorkspace(database, (em, workspaceId) => settleStorage(em, workspaceId, deps.storageMib)),
    () => dropOldOutboxEntries(database.unscoped()),
  ];
  return each(steps, async (step) => {
    await step();
  });
}
