import type { Database } from '../../db/database.ts';
import { isImportOpen } from '../../db/imports/imports.ts';
import { isRunOpen } from '../../db/runs/runs.ts';
import { claimOutboxEntries, markOutboxEntrySent, markOutboxEntryUnsent } from '../../db/system/outbox.ts';
import type { OutboxStore } from '../../temporal/relay-batch.ts';

/** The outbox in PostgreSQL, over all workspaces. */
export function openOutbox(database: Database): OutboxStore {
  const system = () => database.unscoped();
  return {
    claim: (limit, leaseSeconds) => claimOutboxEntries(system(), limit, leaseSeconds),
    markSent: (id) => markOutboxEntrySent(system(), id),
    markUnsent: (id, error, againInSeconds) => markOutboxEntryUnsent(system(), id, error, againInSeconds),
    async whyKept({ workspaceId, workflowId }) {
      const em = database.within(workspaceId);
      if (await isImportOpen(em, workflowId)) return 'The import has not begun yet; it is told as soon as it does.';
      if (await isRunOpen(em, workflowId)) return 'The run has not begun yet; it is told as soon as it does.';
      return null;
    },
  };
}
