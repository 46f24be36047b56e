import { Context } from '@temporalio/activity';
import { agentsOf, type ErasedOwner, eraseOwner } from '../../src/services/erasures/erase-owner.ts';
import { endWorkflowsOf } from '../../src/temporal/client.ts';
import { erasureWorkflowId } from '../../src/temporal/erase-data.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

/** The parts of an erasure that takes an agent or a workspace as a whole. */
export function createOwnerErasure({ database }: ActivityDeps) {
  return {
    /** Ends the workflows of its agents where they stand: what they worked on is about to be gone. */
    stopWork(owner: ErasedOwner): Promise<void> {
      return withHeartbeat(
        () => null,
        async () => {
          const own = erasureWorkflowId(owner.erasureId);
          for (const agentId of await agentsOf(database.within(owner.workspaceId), owner)) {
            await endWorkflowsOf(Context.current().client, agentId, own);
          }
        },
      );
    },
    eraseOwner(owner: ErasedOwner): Promise<{ done: number; total: number }> {
      return withHeartbeat(
        () => null,
        () => eraseOwner(database.within(owner.workspaceId), owner),
      );
    },
  };
}
