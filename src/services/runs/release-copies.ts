import { copiesLeftOver, giveUpCopies } from '../../db/copies/copies.ts';
import type { Database, EntityManager } from '../../db/database.ts';
import type { TemporalGateway } from '../../temporal/client.ts';
import { removeCopyEntry } from '../../temporal/remove-copy.ts';
import { addToOutbox } from '../outbox/add-to-outbox.ts';
import { each, eachWorkspace } from '../outbox/each.ts';

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
  await eachWorkspace(database, async (em, workspaceId) => {
    await each(await copiesLeftOver(em, workspaceId, IDLE_MINUTES), async (copy) => {
      await temporal.deliver(removeCopyEntry(copy));
    });
  });
}
