import { ApplicationFailure, Context } from '@temporalio/activity';
import type { EntityManager } from '../../src/db/database.ts';
import { knownOtherCodes, readModelPolicy } from '../../src/db/models/model-policy.ts';
import {
  beginAsk,
  dropReading,
  keepReading,
  loadOpenReading,
  type OpenReading,
} from '../../src/db/models/model-readings.ts';
import { type Reservation, reserveUsage, settleUsage, type UsageKey } from '../../src/db/models/model-usage.ts';
import { costNanoUsd, mostTokens } from '../../src/domain/limits/model-cost.ts';
import {
  checkAnswer,
  decidingQuestions,
  questionsOf,
  type ReadingQuestions,
} from '../../src/domain/signals/model-reading.ts';
import { ModelError } from '../../src/models/port.ts';
import { readingRequest } from '../../src/models/reader.ts';
import { applyReading } from '../../src/services/analysis/apply-reading.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import type { ReadOutcome } from '../../src/temporal/model-reader.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { keepShownProblems } from './shown-problems.ts';

export interface ModelReadingRequest {
  workspaceId: string;
  agentId: string;
  callId: string;
}

/** Questions about one call over all layers and processes: the first, and twice more. */
const ASKS_AT_MOST = 3;
const LONGEST_DELAY_MS = 600_000;
const PURPOSE = 'call_reading';

/**
 * Asks the model about one call, once: another attempt of this activity is the next question, and the record counts
 * them, so that a process that died over one is counted too. Whatever is answered, only what `additionsOf` allows is
 * laid beside the rules' reading.
 */
export function createModelReading(deps: ActivityDeps) {
  return async function readCallByModel(request: ModelReadingRequest): Promise<ReadOutcome> {
    return withHeartbeat(
      () => ({ callId: request.callId }),
      async () => {
        const em = deps.database.within(request.workspaceId);
        const open = await loadOpenReading(em, request.agentId, request.callId);
        if (open === null || open.state === 'done' || open.state === 'dropped') return { state: 'read' };
        if (open.state === 'waiting') {
          if ((await readModelPolicy(em, request.agentId)).mode === 'off') return { state: 'read' };
          const outcome = await askOnce(deps, em, request, open);
          if (outcome.state !== 'read') return outcome;
        }
        await applyReading(em, request.agentId, request.callId);
        return { state: 'read' };
      },
    );
  };
}

async function askOnce(
  { models }: ActivityDeps,
  em: EntityManager,
  { workspaceId, agentId, callId }: ModelReadingRequest,
  open: OpenReading,
): Promise<ReadOutcome> {
  const { reader, prices } = models;
  if (reader === null) return { state: 'given up', reason: 'No model is configured any more.', trouble: false };
  if (open.asks >= ASKS_AT_MOST) {
    return giveUp(em, callId, open, 'The process ended each of the three times that the model was asked.', false);
  }
  const ask = open.asks + 1;
  const subject = `${callId}/${open.payloadDigest}/${reader.model}`;
  const key: UsageKey = { workspaceId, purpose: PURPOSE, subject, ask };
  const price = prices[reader.model];
  const { mode } = await readModelPolicy(em, agentId);
  const knownOthers = mode === 'decide' ? await knownOtherCodes(em, agentId) : [];
  const questions: ReadingQuestions = {
    ...questionsOf(open.analysis),
    ...(mode === 'decide' && { decides: decidingQuestions(open.call, open.analysis, knownOthers) }),
  };
  const question = readingRequest(open.call, questions);
  const reservation = await em.transactional(async (tx): Promise<Reservation> => {
    const nanoUsd = costNanoUsd(price, mostTokens(question));
    const made = await reserveUsage(tx, { ...key, agentId, model: reader.model, priced: price !== undefined, nanoUsd });
    if (made.state !== 'exhausted') await beginAsk(tx, callId, ask);
    return made;
  });
  if (reservation.state === 'exhausted') return { state: 'paused', freeAt: reservation.freeAt };
  if (reservation.state === 'begun') throw again(`Question ${ask} was begun before.`, 0);
  try {
    const signal = Context.current().cancellationSignal;
    const answer = await reader.complete({ ...question, signal });
    const settle = (within: EntityManager) =>
      settleUsage(within, { ...key, ...answer.usage, nanoUsd: costNanoUsd(price, answer.usage) });
    const checked = checkAnswer(open.call, questions, answer.value, knownOthers);
    const reading = await keepShownProblems(em, open.call, checked, { reader, price, key, agentId, signal }).catch(
      async (error: unknown) => {
        await settle(em);
        throw error;
      },
    );
    // Together: a process that died between them would ask, and pay, for what was answered already.
    await em.transactional(async (tx) => {
      await settle(tx);
      await keepReading(tx, callId, { payloadDigest: open.payloadDigest, model: reader.model }, reading);
    });
    return { state: 'read' };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // Where nobody knows what it cost, what was held back stays charged: the endpoint may charge it too.
    if (error.usage) await settleUsage(em, { ...key, ...error.usage, nanoUsd: costNanoUsd(price, error.usage) });
    if (ask < ASKS_AT_MOST) throw again(error.message, delayOf(error, ask));
    return giveUp(em, callId, open, `Asked ${ask} times. ${error.message}`, error.kind !== 'unusable');
  }
}

async function giveUp(
  em: EntityManager,
  callId: string,
  open: OpenReading,
  reason: string,
  trouble: boolean,
): Promise<ReadOutcome> {
  await dropReading(em, callId, open.payloadDigest, reason);
  return { state: 'given up', reason, trouble };
}

/** Temporal asks again after the delay: the only place where a question is repeated. */
function again(message: string, delayMs: number): ApplicationFailure {
  return ApplicationFailure.create({ type: FAILURE_TYPES.modelWaits, message, nextRetryDelay: Math.max(1, delayMs) });
}

function delayOf(error: ModelError, ask: number): number {
  switch (error.kind) {
    case 'unusable':
      return 500;
    case 'busy':
      return Math.min(error.retryAfterMs ?? 5_000 * ask, LONGEST_DELAY_MS);
    case 'away':
      return Math.min(error.retryAfterMs ?? 2_000 * ask * ask, LONGEST_DELAY_MS);
    case 'refused':
      return 15_000;
    default:
      return error.kind satisfies never;
  }
}
