import type { EntityManager } from '../../db/database.ts';
import { type Reservation, reserveUsage, settleUsage, type UsageKey } from '../../db/models/model-usage.ts';
import { forgetUntold, noteModelLimit } from '../../db/system/model-accounts.ts';
import { costNanoUsd, type TokenPrice, type Tokens } from '../../domain/limits/model-cost.ts';
import { type ModelAccount, ModelError, type Usage } from '../../models/port.ts';

/** A question to be charged. */
export interface ToCharge {
  key: UsageKey;
  agentId: string | null;
  model: { readonly model: string; readonly account: ModelAccount };
  price: TokenPrice | undefined;
  /** The model is the workspace's own, and no part of what the operator allows it. */
  isOwn?: boolean;
}

export interface Charged<Answer> extends ToCharge {
  em: EntityManager;
  /** What the question may take at most. */
  most: Tokens;
  ask(): Promise<Answer>;
}

/** Why a question was not asked: nothing went out, and nothing is charged. */
export type NotAsked = Exclude<Reservation, { state: 'reserved' }>;

export type ChargedAnswer<Answer> = { state: 'answered'; answer: Answer; nanoUsd: number } | NotAsked;

/** Asks a model once: what it may cost is reserved in the record before the question goes out. @throws ModelError */
export async function askCharged<Answer extends { usage: Usage }>(
  asked: Charged<Answer>,
): Promise<ChargedAnswer<Answer>> {
  const { em } = asked;
  const reserved = await reserveQuestion(em, asked, asked.most);
  if (reserved.state !== 'reserved') return reserved;
  let answer: Answer;
  try {
    answer = await asked.ask();
  } catch (error) {
    if (error instanceof ModelError) await noteModelError(em, asked, error, asked.most);
    throw error;
  }
  const nanoUsd = await settleQuestion(em, asked, answer.usage);
  await noteAnswered(em, asked.model, reserved);
  return { state: 'answered', answer, nanoUsd };
}

export function reserveQuestion(
  em: EntityManager,
  { key, agentId, model, price, isOwn = false }: ToCharge,
  most: Tokens,
) {
  return reserveUsage(em, {
    ...key,
    agentId,
    model: model.model,
    accountId: model.account.id,
    priced: price !== undefined,
    // What it costs is not known, and an allowance of nothing covers nothing: the least there is, until it is settled.
    nanoUsd: price === undefined ? 1 : costNanoUsd(price, most),
    isOwn,
  });
}

/** @returns what the question cost, in billionths of a US dollar. */
export async function settleQuestion(em: EntityManager, { key, price }: ToCharge, usage: Usage): Promise<number> {
  const nanoUsd = costNanoUsd(price, usage);
  await settleUsage(em, { ...key, ...usage, nanoUsd });
  return nanoUsd;
}

export async function noteAnswered(
  em: EntityManager,
  { account }: ToCharge['model'],
  { isRested }: Extract<Reservation, { state: 'reserved' }>,
): Promise<void> {
  if (!isRested) await forgetUntold(em, account.id);
}

/**
 * Settles a question that brought no answer. Where nobody knows what it cost, what was held back stays charged: the
 * endpoint may charge it too. What it says of waiting holds for all questions to its account.
 * @param most what was held back.
 * @returns what it is charged with, and until when the account wants no more questions; null where it does not say.
 */
export async function noteModelError(
  em: EntityManager,
  asked: ToCharge,
  error: ModelError,
  most: Tokens,
): Promise<{ nanoUsd: number; limitedUntil: string | null }> {
  const nanoUsd = error.usage ? await settleQuestion(em, asked, error.usage) : costNanoUsd(asked.price, most);
  const waits = error.kind === 'busy' || (error.kind === 'away' && error.retryAfterMs !== null);
  return { nanoUsd, limitedUntil: waits ? await noteModelLimit(em, asked.model.account.id, error.retryAfterMs) : null };
}

/** A question that is not asked because its account asked to wait, as the answer that it would have had. */
export function asBusy({ account }: ToCharge['model'], freeAt: string): ModelError {
  const retryAfterMs = Math.max(0, Date.parse(freeAt) - Date.now());
  return new ModelError('busy', `${account.host} is rate limiting questions for now.`, { retryAfterMs });
}
