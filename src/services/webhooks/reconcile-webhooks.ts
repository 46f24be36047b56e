import { forgetNotices, sendMissed } from '../../db/channels/tend-messages.ts';
import type { Database } from '../../db/database.ts';
import { tellStuckImports } from '../../db/imports/stuck-imports.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import { endAbandoned, forgetBodies, renewDeliveries } from '../../db/webhooks/tend-deliveries.ts';

/** What webhooks and channels need now and then, workspace by workspace: imports that stand still, lost deliveries, old bodies. */
export async function reconcileWebhooks(database: Database): Promise<void> {
  for (const workspaceId of await listWorkspaceIds(database.unscoped())) {
    const em = database.within(workspaceId);
    await tellStuckImports(em, workspaceId);
    await endAbandoned(em, workspaceId);
    await renewDeliveries(em, workspaceId);
    await forgetBodies(em, workspaceId);
    await sendMissed(em, workspaceId);
    await forgetNotices(em, workspaceId);
  }
}
