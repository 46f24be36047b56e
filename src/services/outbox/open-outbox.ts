import type { Database } from '../../db/database.ts';
import { isImportOpen } from '../../db/imports/imports.ts';
import { isRunOpen } from '../../db/runs/runs.ts';
import { claimOrders, markOrderSent, markOrderUnsent } from '../../db/system/orders.ts';
import type { OutboxStore } from '../../temporal/relay-batch.ts';

/** The outbox in PostgreSQL, over all workspaces. */
export function openOutbox(database: Database): OutboxStore {
  const system = () => database.unscoped();
  return {
    claim: (limit, leaseSeconds) => claimOrders(system(), limit, leaseSeconds),
    markSent: (id) => markOrderSent(system(), id),
    markUnsent: (id, error, againInSeconds) => markOrderUnsent(system(), id, error, againInSeconds),
    async whyKept({ workspaceId, workflowId }) {
      const em = database.within(workspaceId);
      if (await isImportOpen(em, workflowId)) return 'The import has not begun yet; it is told as soon as it does.';
      if (await isRunOpen(em, workflowId)) return 'The run has not begun yet; it is told as soon as it does.';
      return null;
    },
  };
}
