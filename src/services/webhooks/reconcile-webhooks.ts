import { forgetNotices, sendMissed } from '../../db/channels/tend-messages.ts';
import type { Database } from '../../db/database.ts';
import { tellStuckImports } from '../../db/imports/stuck-imports.ts';
import { readWorkspaceRetention } from '../../db/system/retention.ts';
import { endAbandoned, forgetBodies, renewDeliveries } from '../../db/webhooks/tend-deliveries.ts';
import { payloadDaysOf, retentionInForce } from '../../domain/retention/retention.ts';
import { eachWorkspace } from '../outbox/each.ts';

/** What webhooks and channels need now and then, workspace by workspace: imports that stand still, lost deliveries, old bodies. */
export function reconcileWebhooks(database: Database): Promise<void> {
  return eachWorkspace(database, async (em, workspaceId) => {
    await tellStuckImports(em, workspaceId);
    await endAbandoned(em, workspaceId);
    await renewDeliveries(em, workspaceId);
    const days = payloadDaysOf(retentionInForce(await readWorkspaceRetention(em, workspaceId)));
    if (days !== null) await forgetBodies(em, workspaceId, days);
    await sendMissed(em, workspaceId);
    await forgetNotices(em, workspaceId);
  });
}
