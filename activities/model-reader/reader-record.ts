import type { EntityManager } from '../../src/db/database.ts';
import { BATCHED_ABOVE, fillBatch } from '../../src/db/models/model-batches.ts';
import { isToBeGrouped } from '../../src/db/models/model-policy.ts';
import {
  callToTry,
  countOpenModelReadings,
  dropOpenReading,
  openModelReadings,
} from '../../src/db/models/model-readings.ts';
import { readPause, tryNow } from '../../src/db/models/reader-standing.ts';
import { modelLimitedUntil } from '../../src/db/system/model-accounts.ts';
import { newId } from '../../src/ids.ts';
import type { ChatModel } from '../../src/models/port.ts';
import { asBusy } from '../../src/services/models/ask-charged.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { regroupEntry } from '../../src/temporal/agent-coordinator.ts';
import type { ReaderWait } from '../../src/temporal/model-reader.ts';
import { readBatchEntry } from '../../src/temporal/read-batch.ts';
import type { ActivityDeps } from '../deps.ts';
import { readerOf } from '../shared/reader-of.ts';

export interface OpenReadingsRequest {
  workspaceId: string;
  agentId: string;
  limit: number;
  /** Somebody wants it tried now. */
  isPressed?: boolean;
}

export interface OpenReadings {
  callIds: string[];
  /** The same, by version of the agent: what a provider's cache keeps is the same within each. */
  groups: string[][];
  open: number;
  /** Why nothing is asked for now; null: it may be. */
  wait: ReaderWait | null;
}

/** What the model reader asks of the record: short statements, each safe to repeat. */
export function createReaderProgress(deps: ActivityDeps) {
  const { database, models } = deps;

  /** What waits beyond what is asked about one by one is handed over in batches, where the operator has them. */
  async function orderBatches(em: EntityManager, workspaceId: string, agentId: string): Promise<void> {
    const { batches } = models;
    for (let isMore = batches !== null; isMore; ) {
      isMore = await em.transactional(async (tx) => {
        const batchId = batches && (await fillBatch(tx, { workspaceId, agentId }, batches.model));
        if (batchId === null) return false;
        await addToOutbox(tx, { entry: readBatchEntry({ workspaceId, agentId, batchId }), workspaceId, agentId });
        return true;
      });
    }
  }

  return {
    /**
     * Calls that wait for the model, in the order in which they are read, those of one version of the agent together;
     * only what is to be laid while the model is not to be asked.
     */
    async openModelReadings({ workspaceId, agentId, limit, isPressed }: OpenReadingsRequest): Promise<OpenReadings> {
      const em = database.within(workspaceId);
      if (isPressed) await tryNow(em, agentId);
      const open = await countOpenModelReadings(em, agentId);
      const paid = await readerOf(deps, em, workspaceId);
      const reader = paid?.model ?? null;
      const wait = reader && (await whyToWait(em, agentId, reader));
      if (paid?.isOwn === false && wait === null && open > BATCHED_ABOVE) await orderBatches(em, workspaceId, agentId);
      const isToTry = wait === 'one';
      const next = await openModelReadings(em, agentId, limit, reader !== null && wait === null);
      const tried = isToTry ? await callToTry(em, agentId) : null;
      const calls = tried ? [...next, tried] : next;
      // What a model decided, or no longer does, is in the sums by now; the board follows with the next grouping.
      if (calls.length === 0 && (await isToBeGrouped(em, agentId))) {
        const coordinator = { agentId, workspaceId, pollSeconds: null };
        const entry = regroupEntry(coordinator, { messageId: newId(), mode: 'incremental' });
        await addToOutbox(em, { entry, workspaceId, agentId });
      }
      const groups = [...Map.groupBy(calls, ({ version }) => version).values()].map((group) =>
        group.map(({ callId }) => callId),
      );
      return { callIds: groups.flat(), groups, open, wait: isToTry ? null : wait };
    },
    async dropModelReading(request: { workspaceId: string; callId: string; reason: string }): Promise<void> {
      await dropOpenReading(database.within(request.workspaceId), request.callId, request.reason);
    },
  };
}

/** @returns `one`: it is time to try one call. */
async function whyToWait(em: EntityManager, agentId: string, reader: ChatModel): Promise<ReaderWait | 'one' | null> {
  const limitedUntil = await modelLimitedUntil(em, reader.account.id);
  if (limitedUntil !== null) return { reason: asBusy(reader, limitedUntil).message, until: limitedUntil };
  const pause = await readPause(em, agentId);
  if (pause === null) return null;
  return pause.isDue ? 'one' : { reason: pause.reason, until: pause.nextTryAt };
}
