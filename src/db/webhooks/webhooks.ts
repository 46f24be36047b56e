import { envelopeBody } from '../../domain/delivery/envelope.ts';
import { END_REASONS } from '../../domain/delivery/messages.ts';
import type { EndpointKind, WebhookEvent } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { publishWorkspaceEvent } from '../events/events.ts';
import { fromNow, lockFor, now } from '../expressions.ts';
import { enqueueFor, listenersOfWorkspace } from './deliveries.ts';

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

const views = (em: EntityManager) =>
  db(em)
    .selectFrom('webhooks as w')
    .where('w.kind', '=', 'webhook')
    .where('w.deletedAt', 'is', null)
    .select(['w.id', 'w.agentId', 'w.url', 'w.events', 'w.enabled', 'w.offReason', 'w.failingSince'])
    .select(['w.createdAt', 'w.updatedAt'])
    .select((eb) => [
      eb
        .case()
        .when('w.previousSecretEndsAt', '>', now)
        .then(eb.ref('w.previousSecretEndsAt'))
        .end()
        .as('previousSecretEndsAt'),
      eb
        .selectFrom('webhook_deliveries as d')
        .whereRef('d.webhookId', '=', 'w.id')
        .where('d.state', '=', 'pending')
        .select(eb.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('pending'),
    ]);

export async function findWebhook(em: EntityManager, workspaceId: string, id: string): Promise<WebhookView | null> {
  const found = views(em).where('w.id', '=', id).where('w.workspaceId', '=', workspaceId);
  return (await found.executeTakeFirst()) ?? null;
}

/** Newest first. */
export function listWebhooks(
  em: EntityManager,
  workspaceId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<WebhookView[]> {
  let page = views(em).where('w.workspaceId', '=', workspaceId);
  if (after !== null) page = page.where('w.id', '<', after);
  return page
    .orderBy('w.id', 'desc')
    .limit(limit + 1)
    .execute();
}

export interface NewWebhook {
  /** Chosen by whoever sealed the secret for it. */
  id?: string;
  workspaceId: string;
  agentId: string | null;
  url: string;
  events: readonly WebhookEvent[];
  sealedSecret: string;
  createdBy: string;
}

/** @returns its id; null where the workspace has as many as it may. */
export async function insertWebhook(em: EntityManager, made: NewWebhook, most: number): Promise<string | null> {
  const { id = newId(), workspaceId, agentId, url, events, sealedSecret, createdBy } = made;
  await lockFor(em, `webhooks ${workspaceId}`);
  const { n } = await db(em)
    .selectFrom('webhooks')
    .where('workspaceId', '=', workspaceId)
    .where('kind', '=', 'webhook')
    .where('deletedAt', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (n >= most) return null;
  await db(em)
    .insertInto('webhooks')
    .values({ id, workspaceId, agentId, url, events: [...events], sealedSecret, createdBy })
    .execute();
  return id;
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
  await db(em)
    .updateTable('webhooks')
    .where('id', '=', id)
    .set({ updatedAt: now, url, enabled, agentId, ...(events && { events: [...events] }) })
    .$if(url !== undefined || enabled === true, (query) => query.set({ failingSince: null }))
    .$if(enabled === true, (query) => query.set({ offReason: null }))
    .execute();
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
  await db(em)
    .updateTable('webhooks')
    .where('id', '=', id)
    .set((eb) => ({
      sealedPreviousSecret: eb.ref('sealedSecret'),
      sealedSecret,
      previousSecretEndsAt: fromNow(bothForHours, 'hours'),
      updatedAt: now,
    }))
    .execute();
}

/** What still waited for it is done: nobody is there to be told. */
export async function deleteWebhook(em: EntityManager, id: string): Promise<void> {
  await lockWebhook(em, id);
  const secrets = { sealedSecret: '', sealedPreviousSecret: null, previousSecretEndsAt: null };
  await db(em)
    .updateTable('webhooks')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .set({ deletedAt: now, enabled: false, updatedAt: now, ...secrets })
    .execute();
  await endPending(em, id, 'dropped', END_REASONS.deleted);
}

/**
 * Switches an address off by itself, and says so to those who watch the workspace, and to its other addresses, unless it
 * was a person's own. Call it last, with the address locked. @param told the reason as the other addresses hear it.
 */
export async function switchOff(em: EntityManager, id: string, offReason: string, told = offReason): Promise<void> {
  const off = await db(em)
    .updateTable('webhooks')
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where('deletedAt', 'is', null)
    .set({ enabled: false, offReason, updatedAt: now })
    .returning(['kind', 'workspaceId', 'agentId', 'updatedAt'])
    .executeTakeFirst();
  await endPending(em, id, 'failed', END_REASONS.off);
  if (!off) return;
  const { kind, updatedAt: at, ...owner } = off;
  const event = kind === 'webhook' ? 'webhook.off' : 'channel.off';
  const data = { id, kind, reason: told };
  const message = { event, eventKey: `${id}/${at}`, body: envelopeBody(event, at, data) } as const;
  const listeners = (await isPersonal(em, id)) ? [] : await listenersOfWorkspace(em, owner.workspaceId, event);
  await enqueueFor(em, owner, listeners, [message]);
  await publishWorkspaceEvent(em, owner, { kind: event, ref: id });
}

async function isPersonal(em: EntityManager, id: string): Promise<boolean> {
  const own = db(em).selectFrom('channels').where('id', '=', id).where('personId', 'is not', null).select('id');
  return (await own.executeTakeFirst()) !== undefined;
}

async function endPending(em: EntityManager, id: string, state: 'failed' | 'dropped', reason: string): Promise<void> {
  await db(em)
    .updateTable('webhook_deliveries')
    .where('webhookId', '=', id)
    .where('state', '=', 'pending')
    .set({ state, lastError: reason, nextTryAt: null })
    .execute();
}

/** Who changes an address or its deliveries holds the address first. @returns null for one that was deleted. */
export async function lockWebhook(
  em: EntityManager,
  id: string,
): Promise<{ enabled: boolean; kind: EndpointKind } | null> {
  const locked = await db(em)
    .selectFrom('webhooks')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .select(['enabled', 'kind'])
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked ?? null;
}
