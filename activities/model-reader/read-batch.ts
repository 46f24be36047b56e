import { ApplicationFailure, Context } from '@temporalio/activity';
import type { EntityManager } from '../../src/db/database.ts';
import {
  beginSending,
  callsInBatch,
  endBatch,
  findBatch,
  leaveBatch,
  type ModelBatchRow,
  noteSent,
  openSubject,
} from '../../src/db/models/model-batches.ts';
import { readModelPolicy, type StandingPolicy } from '../../src/db/models/model-policy.ts';
import { addSpent, beginAsk, loadOpenReading } from '../../src/db/models/model-readings.ts';
import type { Json } from '../../src/domain/json.ts';
import { costNanoUsd, mostTokens, partOfPrice } from '../../src/domain/limits/model-cost.ts';
import { BATCH_SHARE, type BatchModel, type BatchQuestion } from '../../src/models/batch-port.ts';
import { ModelError, NO_USAGE, type Usage } from '../../src/models/port.ts';
import { reserveQuestion, settleQuestion, type ToCharge } from '../../src/services/models/ask-charged.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { loadCallToRead } from '../../src/services/reading/call-to-read.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import { readerEntry } from '../../src/temporal/model-reader.ts';
import type { BatchInput, BatchLook, BatchSent, BatchTaken } from '../../src/temporal/read-batch.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { type AskedOfReading, PURPOSE, spentOn } from './ask-for-reading.ts';
import { knownNames, questionsAbout } from './model-reading.ts';

type Batch = Omit<BatchInput, 'waits'>;

/** Of one batch; what no longer fits is asked about in the next one. */
const BYTES_OF_A_BATCH = 24 * 1024 * 1024;
/** Calls that are loaded, or settled, at the same time. */
const AT_ONCE = 4;
/** Answers that are no answers of a batch interface, before it is given up. */
const TRIES = 5;

/**
 * What a batch takes, each step safe to repeat: which calls are in it, that it may have been handed over, and what the provider
 * calls it stand in the record, so that a process that dies hands nothing over twice. Each question is reserved at the price of
 * a batch before, and settled with its answer.
 */
export function createBatchReading(deps: ActivityDeps) {
  const names = knownNames();
  const { database, models } = deps;

  /** The first question about a call as it stands now; null: it is not to be asked any more. */
  async function questionOf(em: EntityManager, { agentId }: Batch, policy: StandingPolicy, callId: string) {
    const open = await loadOpenReading(em, agentId, callId);
    if (open?.state !== 'waiting' || policy.mode === 'off' || models.batches === null) return null;
    const known = await names(em, agentId);
    const read = await loadCallToRead(em, { agentId, callId }, policy, known);
    return read && questionsAbout(callId, { model: models.batches, open }, read, known).next();
  }

  function chargeOf(
    { workspaceId, agentId }: Batch,
    model: BatchModel,
    of: { subject: string; ask: number },
  ): ToCharge {
    const key = { workspaceId, purpose: PURPOSE, ...of };
    return { key, agentId, model, price: priceOf(model) };
  }

  const priceOf = ({ model }: BatchModel) => partOfPrice(models.prices[model], BATCH_SHARE);

  /** What was held back for a question that the provider did not ask is free again. */
  async function settleUnasked(tx: EntityManager, batch: Batch, model: BatchModel, callId: string): Promise<void> {
    const of = await openSubject(tx, batch.workspaceId, callId);
    if (of !== null) await settleQuestion(tx, chargeOf(batch, model, of), NO_USAGE);
  }

  return {
    async sendBatch(batch: Batch): Promise<BatchSent> {
      const em = database.within(batch.workspaceId);
      const row = await openRow(em, batch);
      if (row === null) return { state: 'over' };
      const { batches: model } = models;
      if (model === null || model.model !== row.model)
        return over(em, batch, 'No such batch interface is configured any more.');
      if (row.providerId !== null) return { state: 'sent', questions: row.questions };
      return asModelFailure(() =>
        withHeartbeat(
          () => ({ batchId: batch.batchId }),
          async () => {
            if (row.sendingAt !== null) {
              const mark = { id: batch.batchId, since: row.sendingAt, questions: row.questions };
              const found = await model.find(mark);
              if (found !== null) return sent(em, batch, found, row.questions);
            }
            const questions = await gather(em, batch, model);
            if (questions.length === 0) return over(em, batch, null);
            const since = await beginSending(em, batch.batchId, questions.length);
            const mark = { id: batch.batchId, since, questions: questions.length };
            return sent(em, batch, await model.send(mark, questions), questions.length);
          },
        ),
      );
    },

    async lookAtBatch(batch: Batch): Promise<BatchLook> {
      const em = database.within(batch.workspaceId);
      const row = await openRow(em, batch);
      if (row === null || row.providerId === null || models.batches === null) return over(em, batch, null);
      const { batches: model } = models;
      const { providerId } = row;
      const { state, answered, reason } = await asModelFailure(() => model.look(providerId));
      if (state !== 'failed') return state === 'ended' ? { state } : { state, answered };
      await giveBack(em, batch, { isCharged: false });
      return over(em, batch, reason);
    },

    async takeBatch(batch: Batch): Promise<BatchTaken> {
      const em = database.within(batch.workspaceId);
      const row = await openRow(em, batch);
      const { batches: model } = models;
      if (row === null || row.providerId === null || model === null) return { answered: 0, unanswered: 0 };
      const { providerId } = row;
      return asModelFailure(() =>
        withHeartbeat(
          () => ({ batchId: batch.batchId }),
          async () => {
            const policy = await readModelPolicy(em, batch.agentId);
            const inIt = new Set(await callsInBatch(em, batch.batchId));
            let answered = 0;
            const { state } = await model.look(providerId);
            if (state === 'ended') {
              for await (const { id, answer } of model.results(providerId)) {
                if (answer === null || !inIt.delete(id)) continue;
                answered += (await take(em, batch, model, policy, { callId: id, answer })) ? 1 : 0;
              }
            }
            const unanswered = await giveBack(em, batch, { isCharged: state !== 'ended' });
            await close(em, batch, null);
            // A provider that does not forget now does so by itself, and there is nobody to tell.
            await model.forget(providerId).catch(() => {});
            return { answered, unanswered };
          },
        ),
      );
    },

    async failBatch({ reason, ...batch }: Batch & { reason: string }): Promise<void> {
      const em = database.within(batch.workspaceId);
      const row = await openRow(em, batch);
      if (row === null) return;
      await giveBack(em, batch, { isCharged: row.providerId !== null });
      await over(em, batch, reason);
    },
  };

  async function openRow(em: EntityManager, { batchId }: Batch): Promise<ModelBatchRow | null> {
    const row = await findBatch(em, batchId);
    return row?.state === 'open' ? row : null;
  }

  async function sent(em: EntityManager, { batchId }: Batch, providerId: string, questions: number) {
    await noteSent(em, batchId, providerId);
    return { state: 'sent' as const, questions };
  }

  /** @param failure in a sentence; null: there was nothing to ask. */
  async function over(em: EntityManager, batch: Batch, failure: string | null) {
    await leaveBatch(em, batch.batchId, await callsInBatch(em, batch.batchId), { forgive: true });
    await close(em, batch, failure);
    return { state: 'over' as const };
  }

  /** The calls that are free again are read as all others. */
  async function close(em: EntityManager, { workspaceId, agentId, batchId }: Batch, failure: string | null) {
    await em.transactional(async (tx) => {
      await endBatch(tx, batchId, failure);
      await addToOutbox(tx, { entry: readerEntry({ workspaceId, agentId }), workspaceId, agentId });
    });
  }

  /** Reserves the question about each call that the batch has room for; the others are asked about by themselves. */
  async function gather(em: EntityManager, batch: Batch, model: BatchModel): Promise<BatchQuestion[]> {
    const { batchId } = batch;
    const policy = await readModelPolicy(em, batch.agentId);
    const questions: BatchQuestion[] = [];
    const left: string[] = [];
    let bytes = 0;
    const open = await callsInBatch(em, batchId);
    const next = async () => {
      for (let callId = open.shift(); callId !== undefined; callId = open.shift()) {
        const asked = bytes < BYTES_OF_A_BATCH ? await questionOf(em, batch, policy, callId) : null;
        if (asked === null || !(await isReserved(em, batch, model, callId, asked))) left.push(callId);
        else {
          const question = { id: callId, request: asked.question };
          bytes += model.sizeOf(question);
          questions.push(question);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    await leaveBatch(em, batchId, left, { forgive: true });
    return questions;
  }

  async function isReserved(
    em: EntityManager,
    batch: Batch,
    model: BatchModel,
    callId: string,
    { subject, question }: AskedOfReading<unknown>,
  ): Promise<boolean> {
    const charge = chargeOf(batch, model, { subject, ask: 1 });
    return em.transactional(async (tx) => {
      const { state } = await reserveQuestion(tx, charge, mostTokens(question));
      if (state === 'exhausted' || state === 'held') return false;
      await beginAsk(tx, callId, 1);
      return true;
    });
  }

  /** Keeps an answer with what it cost, once. @returns whether it is one. */
  async function take(
    em: EntityManager,
    batch: Batch,
    model: BatchModel,
    policy: StandingPolicy,
    { callId, answer }: { callId: string; answer: Json },
  ): Promise<boolean> {
    const { batchId, workspaceId } = batch;
    const asked = await questionOf(em, batch, policy, callId);
    return em.transactional(async (tx) => {
      const of = await openSubject(tx, workspaceId, callId);
      const given = asked === null ? null : valueOf(model, asked, answer);
      const usage = given?.usage ?? NO_USAGE;
      const spent = spentOn(usage, costNanoUsd(priceOf(model), usage));
      // An answer to another record than there is now, as to an earlier text of the agent, is paid and tells nothing.
      const isOfThis = given?.value !== undefined && asked !== null && of?.subject === asked.subject;
      if (isOfThis) await asked.take(given.value)(tx, spent);
      else await addSpent(tx, callId, spent);
      if (of !== null) await settleQuestion(tx, chargeOf(batch, model, of), usage);
      await leaveBatch(tx, batchId, [callId], { forgive: false });
      return isOfThis;
    });
  }

  /** What the provider did not answer is asked one by one. @param isCharged nobody knows whether it will charge it. */
  async function giveBack(em: EntityManager, batch: Batch, { isCharged }: { isCharged: boolean }): Promise<number> {
    const { batches: model } = models;
    const left = await callsInBatch(em, batch.batchId);
    for (const callId of left) {
      await em.transactional(async (tx) => {
        if (!isCharged && model !== null) await settleUnasked(tx, batch, model, callId);
        await leaveBatch(tx, batch.batchId, [callId], { forgive: true });
      });
    }
    return left.length;
  }
}

/** The value of an answer that fits its question, and what it cost in any case. */
function valueOf(
  model: BatchModel,
  { question }: AskedOfReading<unknown>,
  answer: Json,
): { value?: unknown; usage: Usage } {
  try {
    const { value, usage } = model.answerOf(question, answer);
    return { value, usage };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { usage: error.usage ?? NO_USAGE };
  }
}

/** Temporal tries again what waiting helps; what a person has to change ends the batch with its sentence. */
async function asModelFailure<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { kind, message, retryAfterMs } = error;
    const isLost = kind === 'refused' || (kind === 'unusable' && Context.current().info.attempt >= TRIES);
    if (isLost) throw ApplicationFailure.nonRetryable(message, FAILURE_TYPES.modelAway);
    const delay = retryAfterMs === null ? {} : { nextRetryDelay: Math.max(1, retryAfterMs) };
    throw ApplicationFailure.create({ type: FAILURE_TYPES.modelWaits, message, ...delay });
  }
}
