import { type RawBuilder, sql } from 'kysely';
import { END_REASONS } from '../../domain/delivery/words.ts';
import type { WebhookEvent } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { noteWorkspaceEvent } from './events.ts';

export interface WebhookView {
  id: string;
  agentId: string | null;
  url: string;
  events: WebhookEvent[];
  enabled: boolean;
  offReason: string | null;
  failingSince: string | null;
  previousSecretEndsAt: string | null;
  pending: number;
  createdAt: string;
  updatedAt: string;
}

export const isoTime = (column: string): RawBuilder<string | null> =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const view = sql`
  select w.id, w.agent_id as "agentId", w.url, w.events, w.enabled, w.off_reason as "offReason",
    ${isoTime('w.failing_since')} as "failingSince",
    case when w.previous_secret_ends_at > now() then ${isoTime('w.previous_secret_ends_at')} end as "previousSecretEndsAt",
    (select count(*)::int from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending') as pending,
    ${isoTime('w.created_at')} as "createdAt", ${isoTime('w.updated_at')} as "updatedAt"
  from webhooks w`;

export async function findWebhook(em: EntityManager, workspaceId: string, id: string): Promise<WebhookView | null> {
  const { rows } = await sql<WebhookView>`
    ${view} where w.id = ${id} and w.workspace_id = ${workspaceId} and w.deleted_at is null
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Newest first. */
export async function listWebhooks(
  em: EntityManager,
  workspaceId: string,
  page: { after: string | null; limit: number },
): Promise<WebhookView[]> {
  const { rows } = await sql<WebhookView>`
    ${view} where w.workspace_id = ${workspaceId} and w.deleted_at is null
      and (${page.after}::uuid is null or w.id < ${page.after}::uuid)
    order by w.id desc limit ${page.limit + 1}
  `.execute(em.getKysely());
  return rows;
}

export interface NewWebhook {
  workspaceId: string;
  agentId: string | null;
  url: string;
  events: readonly WebhookEvent[];
  sealedSecret: string;
  createdBy: string;
}

/** @returns its id; null where the workspace has as many as it may. */
export async function insertWebhook(em: EntityManager, made: NewWebhook, most: number): Promise<string | null> {
  const id = newId();
  const db = em.getKysely();
  await sql`select pg_advisory_xact_lock(hashtextextended('webhooks ' || ${made.workspaceId}, 0))`.execute(db);
  const { rows } = await sql<{ id: string }>`
    insert into webhooks (id, workspace_id, agent_id, url, events, sealed_secret, created_by)
    select ${id}::uuid, ${made.workspaceId}::uuid, ${made.agentId}::uuid, ${made.url}, ${[...made.events]}::text[],
      ${made.sealedSecret}, ${made.createdBy}::uuid
    where (select count(*) from webhooks where workspace_id = ${made.workspaceId} and deleted_at is null) < ${most}
    returning id
  `.execute(db);
  return rows[0]?.id ?? null;
}

export interface WebhookChange {
  url?: string | undefined;
  events?: readonly WebhookEvent[] | undefined;
  enabled?: boolean | undefined;
  agentId?: string | null | undefined;
}

/** An address that changes, or is switched on again, begins without a record of failure. @returns false where it is gone. */
export async function updateWebhook(em: EntityManager, id: string, change: WebhookChange): Promise<boolean> {
  const { url, events, enabled, agentId } = change;
  if ((await lockWebhook(em, id)) === null) return false;
  const begins = url !== undefined || enabled === true;
  await sql`
    update webhooks set updated_at = now(), url = coalesce(${url ?? null}, url),
      events = coalesce(${events ? [...events] : null}::text[], events), enabled = coalesce(${enabled ?? null}, enabled),
      agent_id = case when ${agentId !== undefined} then ${agentId ?? null}::uuid else agent_id end,
      failing_since = case when ${begins} then null else failing_since end,
      off_reason = case when ${enabled === true} then null else off_reason end
    where id = ${id}
  `.execute(em.getKysely());
  if (enabled === false) await endPending(em, id, 'failed', END_REASONS.off);
  return true;
}

/** The newest secret signs first; the one before stays valid beside it for so long. */
export async function rotateSecret(
  em: EntityManager,
  id: string,
  sealedSecret: string,
  bothForHours: number,
): Promise<void> {
  await sql`
    update webhooks set sealed_previous_secret = sealed_secret, sealed_secret = ${sealedSecret},
      previous_secret_ends_at = now() + ${bothForHours} * interval '1 hour', updated_at = now()
    where id = ${id}
  `.execute(em.getKysely());
}

/** What still waited for it is done: nobody is there to be told. */
export async function deleteWebhook(em: EntityManager, id: string): Promise<void> {
  await lockWebhook(em, id);
  await sql`
    update webhooks set deleted_at = now(), enabled = false, updated_at = now(), sealed_secret = '',
      sealed_previous_secret = null, previous_secret_ends_at = null
    where id = ${id} and deleted_at is null
  `.execute(em.getKysely());
  await endPending(em, id, 'dropped', END_REASONS.deleted);
}

/** Switches an address off by itself, and says so to those who watch the workspace. Call it last, with the address locked. */
export async function switchOff(em: EntityManager, id: string, reason: string): Promise<void> {
  const { rows } = await sql<{ workspaceId: string; agentId: string | null }>`
    update webhooks set enabled = false, off_reason = ${reason}, updated_at = now()
    where id = ${id} and enabled and deleted_at is null returning workspace_id as "workspaceId", agent_id as "agentId"
  `.execute(em.getKysely());
  await endPending(em, id, 'failed', END_REASONS.off);
  const [off] = rows;
  if (off) await noteWorkspaceEvent(em, off, { kind: 'webhook.off', ref: id });
}

async function endPending(em: EntityManager, id: string, state: 'failed' | 'dropped', reason: string): Promise<void> {
  await sql`
    update webhook_deliveries set state = ${state}, last_error = ${reason}, next_try_at = null
    where webhook_id = ${id} and state = 'pending'
  `.execute(em.getKysely());
}

/** Who changes an address or its deliveries holds the address first. @returns null for one that was deleted. */
export async function lockWebhook(em: EntityManager, id: string): Promise<{ enabled: boolean } | null> {
  const { rows } = await sql<{ enabled: boolean }>`
    select enabled from webhooks where id = ${id} and deleted_at is null for no key update
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
