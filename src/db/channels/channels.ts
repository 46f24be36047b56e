import { sql } from 'kysely';
import { ADDRESS_TEST_TOKENS, ADDRESS_TESTS, CHANNEL_TESTS } from '../../domain/limits/rate-limits.ts';
import type { Subscription } from '../../domain/messages/subscription.ts';
import type { ChannelKind } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { deliveryEntry } from '../../temporal/deliver-webhook.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, lockFor, now } from '../expressions.ts';
import { drawOne, takeFrom } from '../system/limits.ts';
import { insertOutboxEntry } from '../system/outbox.ts';
import { deleteWebhook, updateWebhook } from '../webhooks/webhooks.ts';

export interface ChannelView {
  id: string;
  workspaceId: string;
  kind: ChannelKind;
  personId: string | null;
  name: string;
  shownAddress: string;
  /** Of mail: see `hasAgreed`. */
  agreed: string | null;
  subscriptions: Subscription[];
  enabled: boolean;
  offReason: string | null;
  failingSince: string | null;
  pending: number;
  createdAt: string;
  updatedAt: string;
}

const views = (em: EntityManager, workspaceId: string) =>
  db(em)
    .selectFrom('channels as c')
    .innerJoin('webhooks as w', 'w.id', 'c.id')
    .where('c.workspaceId', '=', workspaceId)
    .where('w.deletedAt', 'is', null)
    .select([
      'c.id',
      'c.workspaceId',
      'c.kind',
      'c.personId',
      'c.name',
      'c.shownAddress',
      'c.agreed',
      'c.subscriptions',
    ])
    .select(['w.enabled', 'w.offReason', 'w.failingSince', 'w.createdAt', 'w.updatedAt'])
    .select(({ selectFrom }) =>
      selectFrom('webhook_deliveries as d')
        .whereRef('d.webhookId', '=', 'c.id')
        .where('d.state', '=', 'pending')
        .select(({ fn }) => fn.countAll<number>().as('pending'))
        .$asScalar()
        .$notNull()
        .as('pending'),
    );

/** A channel of the workspace itself. */
export async function findChannel(em: EntityManager, workspaceId: string, id: string): Promise<ChannelView | null> {
  const found = views(em, workspaceId).where('c.id', '=', id).where('c.personId', 'is', null);
  return (await found.executeTakeFirst()) ?? null;
}

/** The channel of a person's own. */
export async function findOwnChannel(
  em: EntityManager,
  { workspaceId, personId }: { workspaceId: string; personId: string },
): Promise<ChannelView | null> {
  return (await views(em, workspaceId).where('c.personId', '=', personId).executeTakeFirst()) ?? null;
}

/** Those of the workspace itself, newest first. */
export function listChannels(
  em: EntityManager,
  workspaceId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<ChannelView[]> {
  let page = views(em, workspaceId).where('c.personId', 'is', null);
  if (after !== null) page = page.where('c.id', '<', after);
  return page
    .orderBy('c.id', 'desc')
    .limit(limit + 1)
    .execute();
}

export interface NewChannel {
  /** Chosen by whoever sealed the address for it. */
  id?: string;
  workspaceId: string;
  kind: ChannelKind;
  personId: string | null;
  name: string;
  shownAddress: string;
  sealedAddress: string | null;
  /** Of mail to whom is known to read it. */
  agreed?: string | null;
  threads: boolean;
  subscriptions: readonly Subscription[];
  createdBy: string;
}

/** @returns its id, for a person who has one that of it; null where the workspace has as many as it may. */
export async function insertChannel(em: EntityManager, made: NewChannel, most: number): Promise<string | null> {
  const { id = newId(), createdBy, subscriptions, ...channel } = made;
  const { workspaceId, kind } = made;
  await lockFor(em, `channels ${workspaceId}`);
  const own = made.personId === null ? null : await findOwnChannel(em, { workspaceId, personId: made.personId });
  if (own !== null) return own.id;
  if (made.personId === null && (await countChannels(em, workspaceId)) >= most) return null;
  await db(em)
    .insertInto('webhooks')
    .values({ id, kind, workspaceId, agentId: null, url: '', events: [], sealedSecret: '', createdBy })
    .execute();
  await db(em)
    .insertInto('channels')
    .values({ id, ...channel, subscriptions: json([...subscriptions]) })
    .execute();
  return id;
}

async function countChannels(em: EntityManager, workspaceId: string): Promise<number> {
  const { n } = await db(em)
    .selectFrom('channels as c')
    .innerJoin('webhooks as w', 'w.id', 'c.id')
    .where('c.workspaceId', '=', workspaceId)
    .where('c.personId', 'is', null)
    .where('w.deletedAt', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

export interface ChannelChange {
  name?: string | undefined;
  subscriptions?: readonly Subscription[] | undefined;
  enabled?: boolean | undefined;
}

/** One that is switched on again begins without a record of failure. @returns false where it is gone. */
export async function updateChannel(em: EntityManager, id: string, change: ChannelChange): Promise<boolean> {
  const { name, subscriptions, enabled } = change;
  if (!(await updateWebhook(em, id, { enabled }))) return false;
  if (name === undefined && subscriptions === undefined) return true;
  await db(em)
    .updateTable('channels')
    .where('id', '=', id)
    .set({ name, subscriptions: subscriptions && json([...subscriptions]) })
    .execute();
  return true;
}

/** For good, with its address. What still waited for it is dropped. */
export async function deleteChannel(em: EntityManager, id: string): Promise<void> {
  await deleteWebhook(em, id);
  await db(em).updateTable('channels').where('id', '=', id).set({ sealedAddress: null, personId: null }).execute();
}

/** Has a message sent that tells of nothing, as it was composed. @returns the id of its delivery; null where one waits, or enough were made. */
export async function enqueueTest(
  em: EntityManager,
  { id, workspaceId }: ChannelView,
  /** A digest of where it goes: whichever channels of whichever workspaces go there. */
  addressKey: string,
  body: string,
): Promise<string | null> {
  await lockFor(em, `channel tests ${id}`);
  const waiting = await db(em)
    .selectFrom('webhook_deliveries')
    .where('webhookId', '=', id)
    .where('event', '=', 'test')
    .where('state', '=', 'pending')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (waiting) return null;
  // A channel that is deleted takes its log with it: how many go to an address, and leave a workspace, is counted apart.
  for (const [name, limit] of [
    [`address-tests:${addressKey}`, ADDRESS_TESTS],
    [`channel-tests:${workspaceId}`, CHANNEL_TESTS],
  ] as const) {
    if ((await drawOne(em, name, limit)).retryAfterSeconds !== null) return null;
  }
  const more = ADDRESS_TEST_TOKENS - 1;
  await takeFrom(em, [{ name: `address-tests:${addressKey}`, perMinute: ADDRESS_TESTS.perMinute, tokens: more }]);
  const deliveryId = newId();
  await db(em)
    .insertInto('webhook_deliveries')
    .values({ id: deliveryId, workspaceId, webhookId: id, event: 'test', eventKey: deliveryId, body, nextTryAt: now })
    .execute();
  const entry = deliveryEntry({ deliveryId, workspaceId, agentId: null, event: 'test', again: 0 });
  await insertOutboxEntry(em, entry, { workspaceId, agentId: null });
  return deliveryId;
}

/** Notes what the owner of a channel's address said. */
export async function setAgreed(em: EntityManager, id: string, agreed: string): Promise<void> {
  await db(em).updateTable('channels').where('id', '=', id).set({ agreed }).execute();
}

/** Whoever reads an address is asked anew: being a member may be why they were not, and holds no longer. */
export async function askAnew(em: EntityManager, workspaceId: string, address: string): Promise<void> {
  await sql`
    update channels set agreed = null
    where workspace_id = ${workspaceId} and kind = 'email' and person_id is null and lower(shown_address) = ${address.toLowerCase()}
      and agreed not like 'no %'`.execute(db(em));
}

export async function readsQuotes(em: EntityManager, workspaceId: string): Promise<boolean> {
  const found = db(em).selectFrom('message_settings').where('workspaceId', '=', workspaceId).select('quotesCalls');
  return (await found.executeTakeFirst())?.quotesCalls ?? true;
}

export async function setQuotes(em: EntityManager, workspaceId: string, quotesCalls: boolean): Promise<void> {
  await db(em)
    .insertInto('message_settings')
    .values({ workspaceId, quotesCalls })
    .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet({ quotesCalls }))
    .execute();
}
