import { sql } from 'kysely';
import { judgeTry, type TryResult, type Verdict } from '../../domain/delivery/outcome.ts';
import { isToBeOff, waitAfter } from '../../domain/delivery/schedule.ts';
import { END_REASONS, OFF_REASONS } from '../../domain/delivery/words.ts';
import type { DeliveryState, WebhookEvent } from '../../domain/vocabulary.ts';
import type { DeliveryStep } from '../../durable/delivery.ts';
import type { EntityManager } from '../database.ts';
import { lockWebhook, switchOff } from './webhooks.ts';

/** A delivery that is to be tried now, with all that a try needs. */
export interface DeliveryToTry {
  id: string;
  webhookId: string;
  event: WebhookEvent;
  /** The exact bytes. */
  body: string;
  tries: number;
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
  const { rows } = await sql<
    Omit<DeliveryToTry, 'body'> & { body: string | null; state: DeliveryState; again: number; enabled: boolean }
  >`
    select d.id, d.webhook_id as "webhookId", d.event, d.body, d.state, d.again, d.tries, w.url, w.enabled,
      w.sealed_secret as "sealedSecret",
      case when w.previous_secret_ends_at > now() then w.sealed_previous_secret end as "sealedPreviousSecret",
      floor(extract(epoch from now()) * 1000)::float8 as "nowMs"
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.id = ${deliveryId} and w.deleted_at is null
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return { ended: END_REASONS.deleted };
  if (row.again !== again) return { ended: 'It was sent again since, by a workflow of its own.' };
  if (row.state !== 'pending') return { ended: `It is ${row.state} already.` };
  const { body } = row;
  const reason = !row.enabled ? END_REASONS.off : body === null ? END_REASONS.aged : null;
  if (body !== null && reason === null) return { ...row, body };
  const error = reason ?? END_REASONS.aged;
  await sql`
    update webhook_deliveries set state = 'failed', last_error = ${error}, next_try_at = null
    where id = ${deliveryId} and state = 'pending' and again = ${again}
  `.execute(em.getKysely());
  return { ended: error };
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
    const since = await failedSince(tx, tried.webhookId);
    return verdict.kind === 'gone' ? gone(tx, tried, verdict) : failed(tx, tried, verdict, delivery, since);
  });
}

interface Logged {
  state: DeliveryState;
  again: number;
  roundTries: number;
  roundBeganAtMs: number;
  nowMs: number;
}

async function logTry(em: EntityManager, { deliveryId, workspaceId, result, durationMs }: TryRecord) {
  const error = result.status === null ? result.error : null;
  const { rows } = await sql<Logged>`
    with tried as (
      update webhook_deliveries set tries = tries + 1, round_tries = round_tries + 1, last_tried_at = now(),
        last_status = ${result.status}, last_error = ${error}
      where id = ${deliveryId} returning *
    ), logged as (
      insert into webhook_tries (delivery_id, try, workspace_id, status, error, duration_ms)
      select id, tries, ${workspaceId}::uuid, ${result.status}::int, ${error}, ${durationMs} from tried
    )
    select state, again, round_tries as "roundTries",
      floor(extract(epoch from round_began_at) * 1000)::float8 as "roundBeganAtMs",
      floor(extract(epoch from now()) * 1000)::float8 as "nowMs"
    from tried
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

async function delivered(em: EntityManager, { deliveryId, webhookId }: TryRecord): Promise<DeliveryStep> {
  const db = em.getKysely();
  await sql`
    update webhook_deliveries set state = 'delivered', delivered_at = now(), next_try_at = null, last_error = null
    where id = ${deliveryId} and state <> 'dropped'`.execute(db);
  await sql`update webhooks set failing_since = null where id = ${webhookId} and failing_since is not null`.execute(db);
  return { state: 'ended', words: 'Delivered.' };
}

/** @returns since when nothing got through to the address, this failure included. */
async function failedSince(em: EntityManager, webhookId: string): Promise<number> {
  const { rows } = await sql<{ sinceMs: number }>`
    update webhooks set failing_since = coalesce(failing_since, now()) where id = ${webhookId}
    returning floor(extract(epoch from failing_since) * 1000)::float8 as "sinceMs"
  `.execute(em.getKysely());
  return rows[0]?.sinceMs ?? Number.POSITIVE_INFINITY;
}

async function gone(em: EntityManager, tried: TryRecord, verdict: Verdict & { kind: 'gone' }): Promise<DeliveryStep> {
  await end(em, tried.deliveryId, END_REASONS.gone);
  await switchOff(em, tried.webhookId, OFF_REASONS.gone);
  return { state: 'ended', words: verdict.error };
}

async function failed(
  em: EntityManager,
  { deliveryId, webhookId }: TryRecord,
  { error, retryAfterMs }: Verdict & { kind: 'failed' },
  { roundTries: tries, roundBeganAtMs: beganAtMs, nowMs }: Logged,
  sinceMs: number,
): Promise<DeliveryStep> {
  const waitMs = waitAfter({ deliveryId, tries, beganAtMs, nowMs, retryAfterMs });
  if (waitMs === null) await end(em, deliveryId, END_REASONS.givenUp(error));
  else {
    await sql`
      update webhook_deliveries set last_error = ${error}, next_try_at = now() + ${waitMs} * interval '1 millisecond'
      where id = ${deliveryId}`.execute(em.getKysely());
  }
  if (isToBeOff(sinceMs, nowMs)) {
    await switchOff(em, webhookId, OFF_REASONS.failing(error));
    return { state: 'ended', words: OFF_REASONS.failing(error) };
  }
  if (waitMs === null) return { state: 'ended', words: END_REASONS.givenUp(error) };
  const at = new Date(nowMs + waitMs).toISOString();
  return { state: 'failed', waitMs, words: `${error} Try ${tries} of this round; the next one at ${at}.` };
}

async function end(em: EntityManager, deliveryId: string, reason: string): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'failed', last_error = ${reason}, next_try_at = null where id = ${deliveryId}
  `.execute(em.getKysely());
}
