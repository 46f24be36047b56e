import { END_REASONS, OFF_REASONS } from '../../domain/delivery/messages.ts';
import { judgeTry, type TryResult, type Verdict } from '../../domain/delivery/outcome.ts';
import { isToBeOff, waitAfter } from '../../domain/delivery/schedule.ts';
import type { DeliveryEvent, DeliveryState, EndpointKind } from '../../domain/vocabulary.ts';
import type { DeliveryStep } from '../../temporal/deliver-webhook.ts';
import { noteRootRef } from '../channels/threads.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { epochMs, fromNow, now } from '../expressions.ts';
import { lockWebhook, switchOff } from './webhooks.ts';

/** A delivery that is to be tried now, with all that a try needs. */
export interface DeliveryToTry {
  id: string;
  webhookId: string;
  event: DeliveryEvent;
  kind: EndpointKind;
  /** The exact bytes; null for a message to people that was not composed yet. */
  body: string | null;
  tries: number;
  /** How long until it is due. */
  dueInMs: number;
  url: string;
  sealedSecret: string;
  /** Signs too while it is still valid. */
  sealedPreviousSecret: string | null;
  /** The time of the database. */
  nowMs: number;
}

/** @returns why nothing is to be sent (any more), in words, where that is so. */
export async function loadTry(
  em: EntityManager,
  { deliveryId, again }: { deliveryId: string; again: number },
): Promise<DeliveryToTry | { ended: string }> {
  const row = await db(em)
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhookId')
    .where('d.id', '=', deliveryId)
    .where('w.deletedAt', 'is', null)
    .select(['d.id', 'd.webhookId', 'd.event', 'd.body', 'd.state', 'd.again', 'd.tries', 'w.url', 'w.enabled'])
    .select(['w.kind', 'w.sealedSecret', epochMs(now).as('nowMs')])
    .select((eb) => epochMs(eb.ref('d.nextTryAt')).as('dueMs'))
    .select((eb) =>
      eb
        .case()
        .when('w.previousSecretEndsAt', '>', now)
        .then(eb.ref('w.sealedPreviousSecret'))
        .end()
        .as('sealedPreviousSecret'),
    )
    .executeTakeFirst();
  if (!row) return { ended: END_REASONS.deleted };
  if (row.again !== again) return { ended: 'It was sent again since, by a workflow of its own.' };
  if (row.state !== 'pending') return { ended: `It is ${row.state} already.` };
  const isAged = row.kind === 'webhook' && row.body === null;
  const reason = !row.enabled ? END_REASONS.off : isAged ? END_REASONS.aged : null;
  if (reason === null) return { ...row, dueInMs: (row.dueMs ?? row.nowMs) - row.nowMs };
  return endUntried(em, { deliveryId, again }, 'failed', reason);
}

/** Ends a delivery that is not to be tried (any more). */
export async function endUntried(
  em: EntityManager,
  { deliveryId, again }: { deliveryId: string; again: number },
  state: 'failed' | 'dropped',
  reason: string,
): Promise<{ ended: string }> {
  await db(em)
    .updateTable('webhook_deliveries')
    .where('id', '=', deliveryId)
    .where('state', '=', 'pending')
    .where('again', '=', again)
    .set({ state, lastError: reason, nextTryAt: null })
    .execute();
  return { ended: reason };
}

export interface TryRecord {
  workspaceId: string;
  deliveryId: string;
  webhookId: string;
  again: number;
  result: TryResult;
  durationMs: number;
}

/**
 * Logs a try and draws its consequences, in one transaction: delivered, the next try, given up, or the address switched
 * off. A delivery that ended meanwhile keeps its end.
 */
export async function recordTry(em: EntityManager, tried: TryRecord): Promise<DeliveryStep> {
  return em.transactional(async (tx) => {
    // The address first, as everywhere: who switches it off takes its deliveries after it.
    const address = await lockWebhook(tx, tried.webhookId);
    const delivery = await logTry(tx, tried);
    if (address === null || delivery === null) return { state: 'ended', words: END_REASONS.deleted };
    const verdict = judgeTry(tried.result);
    // What got through did, also where the address was switched off while it was on its way.
    if (verdict.kind === 'delivered') return delivered(tx, tried);
    if (delivery.state !== 'pending' || delivery.again !== tried.again) {
      return { state: 'ended', words: `It is ${delivery.state} already.` };
    }
    if (verdict.kind === 'gone') return gone(tx, tried);
    if (delivery.event === 'test') return failedTest(tx, tried, verdict.error);
    const sinceMs = verdict.isOurs ? Number.POSITIVE_INFINITY : await failedSince(tx, tried.webhookId);
    return failed(tx, tried, verdict, { ...delivery, kind: address.kind }, sinceMs);
  });
}

interface Logged {
  event: DeliveryEvent;
  state: DeliveryState;
  again: number;
  roundTries: number;
  roundBeganAtMs: number;
  nowMs: number;
}

async function logTry(em: EntityManager, { deliveryId, workspaceId, result, durationMs }: TryRecord) {
  const error = result.status === null ? result.error : 'refused' in result ? result.refused : null;
  const logged = await db(em)
    .with('tried', (within) =>
      within
        .updateTable('webhook_deliveries')
        .where('id', '=', deliveryId)
        .set((eb) => ({
          tries: eb('tries', '+', 1),
          roundTries: eb('roundTries', '+', 1),
          lastTriedAt: now,
          lastStatus: result.status,
          lastError: error,
        }))
        .returning(['id', 'event', 'tries', 'state', 'again', 'roundTries', 'roundBeganAt']),
    )
    .with('logged', (within) =>
      within
        .insertInto('webhook_tries')
        .columns(['deliveryId', 'try', 'workspaceId', 'status', 'error', 'durationMs'])
        .expression((eb) =>
          eb
            .selectFrom('tried')
            .select(['id', 'tries'])
            .select([
              eb.cast<string>(eb.val(workspaceId), 'uuid').as('workspaceId'),
              eb.cast<number | null>(eb.val(result.status), 'integer').as('status'),
              eb.cast<string | null>(eb.val(error), 'text').as('error'),
              eb.cast<number>(eb.val(durationMs), 'integer').as('durationMs'),
            ]),
        ),
    )
    .selectFrom('tried')
    .select((eb) => ['event', 'state', 'again', 'roundTries', epochMs(eb.ref('roundBeganAt')).as('roundBeganAtMs')])
    .select(epochMs(now).as('nowMs'))
    .executeTakeFirst();
  return logged ?? null;
}

async function delivered(em: EntityManager, { deliveryId, webhookId, result }: TryRecord): Promise<DeliveryStep> {
  if ('ref' in result && result.ref !== undefined) await noteRootRef(em, deliveryId, result.ref);
  await db(em)
    .updateTable('webhook_deliveries')
    .where('id', '=', deliveryId)
    .where('state', '<>', 'dropped')
    .set({ state: 'delivered', deliveredAt: now, nextTryAt: null, lastError: null })
    .execute();
  await db(em)
    .updateTable('webhooks')
    .where('id', '=', webhookId)
    .where('failingSince', 'is not', null)
    .set({ failingSince: null })
    .execute();
  return { state: 'ended', words: 'Delivered.' };
}

/** @returns since when nothing got through to the address, this failure included. */
async function failedSince(em: EntityManager, webhookId: string): Promise<number> {
  const failing = await db(em)
    .updateTable('webhooks')
    .where('id', '=', webhookId)
    .set((eb) => ({ failingSince: eb.fn.coalesce('failingSince', now) }))
    .returning((eb) => epochMs(eb.ref('failingSince')).as('sinceMs'))
    .executeTakeFirst();
  return failing?.sinceMs ?? Number.POSITIVE_INFINITY;
}

async function gone(em: EntityManager, tried: TryRecord): Promise<DeliveryStep> {
  await end(em, tried.deliveryId, END_REASONS.gone);
  await switchOff(em, tried.webhookId, OFF_REASONS.gone);
  return { state: 'ended', words: END_REASONS.gone };
}

/** A trial is tried once: whoever asked for it sees what came of it. */
async function failedTest(em: EntityManager, { deliveryId, result }: TryRecord, error: string): Promise<DeliveryStep> {
  await end(em, deliveryId, END_REASONS.test(error));
  return { state: 'ended', words: END_REASONS.test(withoutWords(result)) };
}

/** What others are told of a try: what a receiver says may name people, and stays in the log. */
const withoutWords = ({ status }: TryResult) =>
  status === null ? 'There was no answer.' : `The answer was ${status}.`;

async function failed(
  em: EntityManager,
  { deliveryId, webhookId, result }: TryRecord,
  { error, retryAfterMs }: Verdict & { kind: 'failed' },
  { roundTries: tries, roundBeganAtMs: beganAtMs, nowMs, kind }: Logged & { kind: EndpointKind },
  sinceMs: number,
): Promise<DeliveryStep> {
  const waitMs = waitAfter({ deliveryId, tries, beganAtMs, nowMs, retryAfterMs });
  if (waitMs === null) await end(em, deliveryId, END_REASONS.givenUp(error));
  else {
    await db(em)
      .updateTable('webhook_deliveries')
      .where('id', '=', deliveryId)
      .set({ lastError: error, nextTryAt: fromNow(waitMs, 'milliseconds') })
      .execute();
  }
  if (isToBeOff(sinceMs, nowMs)) {
    const reason = kind === 'webhook' ? OFF_REASONS.failing : OFF_REASONS.failingChannel;
    const told = reason(withoutWords(result));
    await switchOff(em, webhookId, reason(error), told);
    return { state: 'ended', words: told };
  }
  if (waitMs === null) return { state: 'ended', words: END_REASONS.givenUp(withoutWords(result)) };
  const at = new Date(nowMs + waitMs).toISOString();
  return {
    state: 'failed',
    waitMs,
    words: `${withoutWords(result)} Try ${tries} of this round; the next one at ${at}.`,
  };
}

async function end(em: EntityManager, deliveryId: string, reason: string): Promise<void> {
  await db(em)
    .updateTable('webhook_deliveries')
    .where('id', '=', deliveryId)
    .set({ state: 'failed', lastError: reason, nextTryAt: null })
    .execute();
}
