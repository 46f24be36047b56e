import { agentsWithAlarms } from '../../db/alarms/alarms.ts';
import { startAlarmsEntry } from '../../temporal/alarms.ts';
import type { ReconcileDeps } from '../agents/reconcile-coordinators.ts';
import { each, eachWorkspace } from '../outbox/each.ts';

/** Starts the workflows of agents with alarms that are missing. */
export async function reconcileAlarms({
  database,
  temporal,
}: Pick<ReconcileDeps, 'database' | 'temporal'>): Promise<void> {
  await eachWorkspace(database, async (em, workspaceId) => {
    await each(await agentsWithAlarms(em, workspaceId), async (agentId) => {
      await temporal.deliver(startAlarmsEntry({ workspaceId, agentId }));
    });
  });
}
