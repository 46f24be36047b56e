import { countOpenModelReadings, dropOpenReading, openModelReadings } from '../src/db/queries/model-readings.ts';
import type { ActivityDeps } from './deps.ts';

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
      return { callIds: models.reader === null ? [] : await openModelReadings(em, agentId, limit), open };
    },
    async dropModelReading(request: { workspaceId: string; callId: string; reason: string }): Promise<void> {
      await dropOpenReading(database.within(request.workspaceId), request.callId, request.reason);
    },
  };
}
