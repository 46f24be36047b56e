import { Context } from '@temporalio/activity';
import { waitingAgainIds, waitingCallIds } from '../../src/db/analysis/load-for-analysis.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { parkCall } from '../../src/db/imports/failures.ts';
import { callsOfImport } from '../../src/db/imports/import-records.ts';
import { beginImport, finishImport, readEnd, saveImport } from '../../src/db/imports/imports.ts';
import { takePollImport } from '../../src/db/imports/polls.ts';
import { recountImport } from '../../src/db/imports/recount-import.ts';
import { countWaiting, coveredCalls } from '../../src/db/limits/allowance.ts';
import { startDemoBacktests } from '../../src/operations/setup/start-demo-backtests.ts';
import { isWorkflowOpen } from '../../src/temporal/client.ts';
import {
  type ImportEnded,
  type ImportPlan,
  type ImportRequestKey,
  type ImportResult,
  type ImportStanding,
  importWorkflowId,
  type KeptRecords,
} from '../../src/temporal/import-calls.ts';
import type { ActivityDeps } from '../deps.ts';

export interface BegunImport {
  plan: ImportPlan;
  standing: ImportStanding;
  /** A person paused it before Temporal lost it. */
  paused: boolean;
}

export interface WaitingRequest {
  workspaceId: string;
  agentId: string;
  /** Null where no import asks. */
  importId: string | null;
  limit: number;
}

export interface WaitingCalls {
  /** Oldest first: calls that the import stored, and those that another left. */
  own: string[];
  others: string[];
  /** What the plan's allowance does not cover now: of the import, and of the agent in all. */
  held: { own: number; all: number; until: string } | null;
}

export interface OwnedImport extends ImportRequestKey {
  workspaceId: string;
}

export interface ParkRequest extends OwnedImport {
  agentId: string;
  /** The platform's id of the call. */
  ref: string;
  reason: string;
}

export interface ImportLook extends OwnedImport {
  /** How its workflow came to its end, as far as that is known. */
  lostFor: string | null;
}

export interface EndedImport extends OwnedImport, Pick<ImportResult, 'status' | 'reason'> {
  /** The platform refused it, or gave no answer for too long. */
  refused?: boolean;
  /** Where it stands, if that was not saved before its end. */
  standing?: ImportStanding;
}

export interface SaveRequest extends OwnedImport {
  standing: ImportStanding;
  status: 'running' | 'paused';
  waitsFor: string | null;
}

/** What coordinator and import write into the record about themselves: short statements, each safe to repeat. */
export function createImportProgress({ database, patience }: ActivityDeps) {
  return {
    /** Null when this try of the import is over already. */
    beginImport: (request: OwnedImport): Promise<BegunImport | null> => beginOwned({ database, patience }, request),
    async saveImport({ workspaceId, importId, attempt, ...now }: SaveRequest): Promise<void> {
      await saveImport(database.within(workspaceId), { importId, attempt }, now);
    },
    /** What the record has of an import whose slice is begun again. */
    recountImport: ({ workspaceId, importId }: OwnedImport): Promise<KeptRecords> =>
      recountImport(database.within(workspaceId), importId),
    finishImport: (request: EndedImport): Promise<void> => finish(database, request),
    /** Null while its workflow goes on. One that was lost has failed, if its row does not say otherwise. */
    async lookAtImport({ lostFor, ...request }: ImportLook): Promise<Pick<ImportEnded, 'status' | 'reason'> | null> {
      const workflowId = importWorkflowId(request.importId, request.attempt);
      if (await isWorkflowOpen(Context.current().client, workflowId)) return null;
      const lost = { status: 'failed', reason: lostFor ?? 'The import was lost in Temporal. Retry it.' } as const;
      await finish(database, { ...request, ...lost });
      return (await readEnd(database.within(request.workspaceId), request)) ?? lost;
    },
    async parkCall({ ref, reason, ...owner }: ParkRequest): Promise<void> {
      await parkCall(database.within(owner.workspaceId), { ...owner, ref, reason });
    },
    /** The import of the next poll, or null when there is nothing to poll. Asked by coordinators that began before `lookForCalls`. */
    async planPoll(request: { workspaceId: string; agentId: string }): Promise<{ request: ImportRequestKey | null }> {
      return { request: await takePollImport(database.within(request.workspaceId), request.agentId) };
    },
    /** Calls whose analysis may begin now, but for those of another import that goes on. */
    waitingCalls: (request: WaitingRequest): Promise<WaitingCalls> =>
      readWaitingCalls(database.within(request.workspaceId), request),
  };
}

/** Null when this try of the import is over already. */
export async function beginOwned(
  { database, patience }: Pick<ActivityDeps, 'database' | 'patience'>,
  request: OwnedImport,
): Promise<BegunImport | null> {
  const begun = await beginImport(database.within(request.workspaceId), request);
  return begun && { ...begun, plan: { ...begun.plan, patience } };
}

async function finish(database: ActivityDeps['database'], request: EndedImport): Promise<void> {
  await database.within(request.workspaceId).transactional(async (tx) => {
    const agentId = await finishImport(tx, request, request);
    if (agentId !== null) await startDemoBacktests(tx, agentId);
  });
}

export async function readWaitingCalls(
  em: EntityManager,
  { importId, limit, ...owner }: WaitingRequest,
): Promise<WaitingCalls> {
  const waiting = await waitingCallIds(em, owner.agentId, limit, importId);
  const covered = await coveredCalls(em, owner, waiting);
  const { heldUntil } = covered;
  // Behind calls that are held back, others may wait for another reading.
  const again = heldUntil === null ? [] : await waitingAgainIds(em, owner.agentId, limit, importId);
  const callIds = [...new Set([...covered.callIds, ...again])].slice(0, limit);
  const own = importId === null ? new Set() : await callsOfImport(em, importId, callIds);
  const isOwn = (id: string) => own.has(id);
  return {
    own: callIds.filter(isOwn),
    others: callIds.filter((id) => !isOwn(id)),
    held: heldUntil === null ? null : { ...(await countHeld(em, owner.agentId, importId)), until: heldUntil },
  };
}

async function countHeld(em: EntityManager, agentId: string, importId: string | null) {
  const { all, ofImport } = await countWaiting(em, agentId, importId);
  return { all, own: ofImport };
}
