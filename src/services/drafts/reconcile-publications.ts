import { publicationsUnderWay } from '../../db/drafts/publications.ts';
import { publishEntry } from '../../temporal/publish-draft.ts';
import { coordinatorOf } from '../agents/coordinator-input.ts';
import type { ReconcileDeps } from '../agents/reconcile-coordinators.ts';
import { each, eachWorkspace } from '../outbox/each.ts';
import { settleFailed } from './settle-publication.ts';

const ENDED = 'Its workflow was ended in Temporal. Look at the agent at the platform.';

/**
 * Starts the workflow of every open publish that Temporal has lost, where it goes on from the record; and brings publishes
 * to their end whose workflow was terminated there, so that no draft stays locked.
 */
export async function reconcilePublications({ database, temporal, polling }: ReconcileDeps): Promise<void> {
  await eachWorkspace(database, async (em, workspaceId) => {
    await each(await publicationsUnderWay(em, workspaceId), async ({ draftId, revision, kind, ...agent }) => {
      const key = { draftId, revision, kind };
      const entry = publishEntry({ ...key, coordinator: coordinatorOf(agent, polling) });
      await temporal.deliver(entry);
      if (await temporal.isOver(entry.workflowId)) await settleFailed(em, key, ENDED);
    });
  });
}
