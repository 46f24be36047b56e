import { copiesLeftOver, giveUpCopies } from '../../db/copies/copies.ts';
import type { Database, EntityManager } from '../../db/database.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import type { TemporalGateway } from '../../temporal/client.ts';
import { removeCopyEntry } from '../../temporal/remove-copy.ts';
import { addToOutbox } from '../outbox/add-to-outbox.ts';

const IDLE_MINUTES = 60;

/** Has the copies of a run taken away from the platform, in the caller's transaction. */
export async function releaseCopies(
  em: EntityManager,
  { id, workspaceId, agentId }: { id: string; workspaceId: string; agentId: string },
): Promise<void> {
  for (const copyId of await giveUpCopies(em, id)) {
    await addToOutbox(em, { entry: removeCopyEntry({ copyId, agentId, workspaceId }), workspaceId, agentId });
  }
}

/** Tries once more to remove what could not be removed, an hour after the last try. */
export async function reconcileCopies({
  database,
  temporal,
}: {
  database: Database;
  temporal: TemporalGateway;
}): Promise<void> {
  for (const workspaceId of await listWorkspaceIds(database.unscoped())) {
    for (const copy of await copiesLeftOver(database.within(workspaceId), workspaceId, IDLE_MINUTES)) {
      await temporal.deliver(removeCopyEntry(copy));
    }
  }
}
