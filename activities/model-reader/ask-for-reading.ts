import { ApplicationFailure, Context } from '@temporalio/activity';
import type { EntityManager } from '../../src/db/database.ts';
import type { StandingPolicy } from '../../src/db/models/model-policy.ts';
import {
  addSpent,
  beginAsk,
  dropReading,
  forgiveAsk,
  NOTHING_SPENT,
  type OpenReading,
  type Spent,
} from '../../src/db/models/model-readings.ts';
import { claimTry, noteRecovery, noteTrouble, readPause } from '../../src/db/models/reader-standing.ts';
import { mostTokens } from '../../src/domain/limits/model-cost.ts';
import type { ReaderTrouble } from '../../src/domain/vocabulary.ts';
import { type ChatRequest, ModelError, type Usage } from '../../src/models/port.ts';
import {
  asBusy,
  type NotAsked,
  noteAnswered,
  noteModelError,
  reserveQuestion,
  settleQuestion,
  type ToCharge,
} from '../../src/services/models/ask-charged.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import type { ReadOutcome } from '../../src/temporal/model-reader.ts';
import type { PaidModel } from '../shared/reader-of.ts';

export interface ModelReadingRequest {
  workspaceId: string;
  agentId: string;
  callId: string;
}

/** Writes what an answer brought, in the transaction that settles it. */
export type KeepAnswer = (tx: EntityManager, spent: Spent) => Promise<void>;

/** One question of a reading. */
export interface AskedOfReading<T> {
  question: ChatRequest<T>;
  /** Names the question over all processes, without how often it was asked. */
  subject: string;
  take(value: T): KeepAnswer;
  /** What is kept where no try brought anything usable; null: then there is no reading. */
  without: (() => KeepAnswer) | null;
}

/** Who asks: the model, the call as it waits, and how the agent's reader stands with its model. */
export interface ReadingAsker extends PaidModel {
  open: OpenReading;
  standing: StandingPolicy['reader'];
}

/** Tries of one question over all processes: the first, and twice more. */
const TRIES = 3;
export const PURPOSE = 'call_reading';

/**
 * Asks one question about a call, once: what it may cost is reserved before it goes out, and what it cost is settled with
 * what it brought, so that a process that dies between pays for nothing twice. Another attempt of the activity is the next
 * try. While the model is in trouble one call now and then is tried, and no other is asked about.
 * @returns `more` once something is kept.
 */
export async function askForReading<T>(
  em: EntityManager,
  { workspaceId, agentId, callId }: ModelReadingRequest,
  { model: reader, price, isOwn, open, standing }: ReadingAsker,
  { question, subject, take, without }: AskedOfReading<T>,
): Promise<ReadOutcome | { state: 'more' }> {
  const { payloadDigest } = open;
  const tries = open.asks - open.forgiven;
  const ask = open.asks + 1;
  const charge: ToCharge = {
    key: { workspaceId, purpose: PURPOSE, subject, ask },
    agentId,
    model: reader,
    price,
    isOwn,
  };
  if (tries >= TRIES) return giveUp(`The process ended each of the ${TRIES} times that the model was asked.`, false);
  const { pause } = standing;
  if (pause && !(await claimTry(em, agentId))) return { state: 'held', reason: pause.reason, until: pause.nextTryAt };
  const reserved = await em.transactional(async (tx) => {
    const made = await reserveQuestion(tx, charge, mostTokens(question));
    if (made.state === 'reserved' || made.state === 'begun') await beginAsk(tx, callId, ask);
    return made;
  });
  if (reserved.state !== 'reserved') return whyNot(reserved, reader);
  try {
    const answer = await reader.complete({ ...question, signal: Context.current().cancellationSignal });
    const keep = take(answer.value);
    await em.transactional(async (tx) => {
      await keep(tx, spentOn(answer.usage, await settleQuestion(tx, charge, answer.usage)));
    });
    await noteAnswered(em, reader, reserved);
    if (standing.troubles > 0) await noteRecovery(em, agentId);
    return { state: 'more' };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // Who was told to stop in the middle of a question has no answer, and that is no trouble of the model.
    if (Context.current().cancellationSignal.aborted) await Context.current().cancelled;
    return afterError(error);
  }

  async function giveUp(reason: string, gaveNothing: boolean): Promise<ReadOutcome> {
    await dropReading(em, callId, { payloadDigest, note: reason, gaveNothing });
    return { state: 'given up', reason, trouble: false };
  }

  /** What a question that brought nothing means for the call, for the agent's reader and for the account. */
  async function afterError(error: ModelError): Promise<ReadOutcome | { state: 'more' }> {
    const { nanoUsd, limitedUntil } = await noteModelError(em, charge, error, mostTokens(question));
    const spent = spentOn(error.usage ?? mostTokens(question), nanoUsd);
    if (nanoUsd > 0) await addSpent(em, callId, spent);
    if (limitedUntil !== null) {
      // To be told to wait is no try of the call.
      await forgiveAsk(em, callId);
      return { state: 'held', reason: asBusy(reader, limitedUntil).message, until: limitedUntil };
    }
    const noted = { trouble: troubleOf(error), reason: error.message, isFirst: tries === 0, isTry: pause !== null };
    const after = await noteTrouble(em, { workspaceId, agentId }, noted);
    const paused = after.trouble === null ? null : await readPause(em, agentId);
    if (paused) {
      // Nor is the question by which it is found out whether the model answers again.
      await forgiveAsk(em, callId);
      return { state: 'held', reason: paused.reason, until: paused.nextTryAt };
    }
    if (tries + 1 < TRIES) throw again(error.message, delayAfter(error, tries + 1));
    if (without === null) return giveUp(`Asked ${TRIES} times. ${error.message}`, true);
    const keep = without();
    await em.transactional((tx) => keep(tx, NOTHING_SPENT));
    return { state: 'more' };
  }
}

export const spentOn = (usage: Omit<Usage, 'cacheWriteTokens'>, nanoUsd: number): Spent => ({
  chargedNanoUsd: nanoUsd,
  inputTokens: usage.inputTokens,
  cachedInputTokens: usage.cachedInputTokens,
  outputTokens: usage.outputTokens,
});

function whyNot(notAsked: NotAsked, model: ToCharge['model']): ReadOutcome {
  switch (notAsked.state) {
    case 'exhausted':
      return { state: 'paused', freeAt: notAsked.freeAt, bound: notAsked.bound };
    case 'held':
      return { state: 'held', reason: asBusy(model, notAsked.freeAt).message, until: notAsked.freeAt };
    case 'begun':
      throw again('This question was begun before.', 0);
    default:
      return notAsked satisfies never;
  }
}

function troubleOf({ kind, refused }: ModelError): ReaderTrouble {
  if (kind !== 'refused') return kind === 'unusable' ? 'unusable' : 'away';
  return refused === 'question' ? 'unusable' : (refused ?? 'model');
}

/** Temporal asks again after the delay: the only place where a question is repeated. */
function again(message: string, delayMs: number): ApplicationFailure {
  return ApplicationFailure.create({ type: FAILURE_TYPES.modelWaits, message, nextRetryDelay: Math.max(1, delayMs) });
}

const delayAfter = ({ kind }: ModelError, tries: number): number => (kind === 'away' ? 2_000 * tries * tries : 500);
