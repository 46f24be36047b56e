import { isToBeGrouped } from '../../src/db/models/model-policy.ts';
import { countOpenModelReadings, dropOpenReading, openModelReadings } from '../../src/db/models/model-readings.ts';
import { newId } from '../../src/ids.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { regroupEntry } from '../../src/temporal/agent-coordinator.ts';
import type { ActivityDeps } from '../deps.ts';

export interface OpenReadingsRequest {
  workspaceId: string;
  agentId: string;
  limit: number;
}

/** What the model reader asks of the record: short statements, each safe to repeat. */
export function createReaderProgress({ database, models }: ActivityDeps) {
  return {
    /** Calls that wait for the model, newest first; none where no model is configured. */
    async openModelReadings({ workspaceId, agentId, limit }: OpenReadingsRequest) {
      const em = database.within(workspaceId);
      const open = await countOpenModelReadings(em, agentId);
      const callIds = await openModelReadings(em, agentId, limit, models.reader !== null);
      // What a model decided, or no longer does, is in the sums by now; the board follows with the next grouping.
      if (callIds.length === 0 && (await isToBeGrouped(em, agentId))) {
        const coordinator = { agentId, workspaceId, pollSeconds: null };
        const entry = regroupEntry(coordinator, { messageId: newId(), mode: 'incremental' });
        await addToOutbox(em, { entry, workspaceId, agentId });
      }
      return { callIds, open };
    },
    async dropModelReading(request: { workspaceId: string; callId: string; reason: string }): Promise<void> {
      await dropOpenReading(database.within(request.workspaceId), request.callId, request.reason);
    },
  };
}
