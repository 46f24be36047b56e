import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import {
  completeErasure,
  type ErasedBatch,
  eraseBatch,
  eraseLeftovers,
  failErasure,
} from '../../src/services/erasures/erase-batch.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

interface ErasureOfWorkspace {
  workspaceId: string;
  erasureId: string;
}

export interface ErasureRequest extends ErasureOfWorkspace {
  agentId: string;
}

/** The parts of an erasure that take calls apart. */
export function createErasure({ database, vault }: ActivityDeps) {
  return {
    eraseBatch(request: ErasureRequest): Promise<ErasedBatch> {
      const em = database.within(request.workspaceId);
      return withHeartbeat(
        () => null,
        () => eraseBatch(em, { vault, catalogue: CATALOGUE }, request),
      );
    },
    eraseLeftovers(request: ErasureRequest): Promise<void> {
      const em = database.within(request.workspaceId);
      return withHeartbeat(
        () => null,
        () => eraseLeftovers(em, vault, request),
      );
    },
  };
}

/** How an erasure ends in the record. */
export function createErasureRecord({ database }: ActivityDeps) {
  return {
    finishErasure({ workspaceId, erasureId }: ErasureOfWorkspace): Promise<void> {
      return completeErasure(database.within(workspaceId), { workspaceId, erasureId });
    },
    failErasure({ workspaceId, erasureId, reason }: ErasureOfWorkspace & { reason: string }): Promise<void> {
      return failErasure(database.within(workspaceId), { workspaceId, erasureId }, reason);
    },
  };
}
