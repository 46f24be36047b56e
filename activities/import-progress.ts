import { callsOfImport } from '../src/db/queries/import-records.ts';
import { beginImport, finishImport, saveImport, takePollImport } from '../src/db/queries/imports.ts';
import { waitingCallIds } from '../src/db/queries/load-for-analysis.ts';
import type { ImportPlan, ImportRequestKey, ImportResult, ImportStanding } from '../src/durable/import.ts';
import type { ActivityDeps } from './deps.ts';

export interface BegunImport {
  plan: ImportPlan;
  standing: ImportStanding;
}

export interface WaitingRequest {
  agentId: string;
  importId: string;
  limit: number;
}

export interface SaveRequest extends ImportRequestKey {
  standing: ImportStanding;
  status: 'running' | 'paused';
  waitsFor: string | null;
}

/** What desk and import write into the record about themselves: short statements, each safe to repeat. */
export function createImportProgress({ database, patience }: ActivityDeps) {
  return {
    /** Null when this try of the import is over already. */
    async beginImport(request: ImportRequestKey): Promise<BegunImport | null> {
      const begun = await beginImport(database.em(), request);
      return begun && { plan: { ...begun.plan, patience }, standing: begun.standing };
    },
    async saveImport({ importId, attempt, ...now }: SaveRequest): Promise<void> {
      await saveImport(database.em(), { importId, attempt }, now);
    },
    async finishImport(request: ImportRequestKey & Pick<ImportResult, 'status' | 'reason'>): Promise<void> {
      await finishImport(database.em(), request, request);
    },
    /** The import of the next poll, or null when there is nothing to poll. */
    async planPoll(request: { agentId: string }): Promise<{ request: ImportRequestKey | null }> {
      return { request: await takePollImport(database.em(), request.agentId) };
    },
    /** Calls that wait for their analysis, oldest first: those that this import stored, and those that another left. */
    async waitingCalls(request: WaitingRequest): Promise<{ own: string[]; others: string[] }> {
      const em = database.em();
      const callIds = await waitingCallIds(em, request.agentId, request.limit);
      const own = await callsOfImport(em, request.importId, callIds);
      return { own: callIds.filter((id) => own.has(id)), others: callIds.filter((id) => !own.has(id)) };
    },
  };
}
