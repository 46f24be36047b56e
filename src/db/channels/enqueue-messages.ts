import { type Notice, threadOf } from '../../domain/messages/notice.ts';
import { type Channel, type PlannedMessage, planMessages } from '../../domain/messages/plan.ts';
import { newId } from '../../ids.ts';
import { deliveryEntry } from '../../temporal/deliver-webhook.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, anyText, epochMs, json, lockFor, now } from '../expressions.ts';
import { insertOutboxEntry } from '../system/outbox.ts';
import type { NewRow } from '../tables.ts';
import { rootThreads, toldThreads } from './threads.ts';

/** A channel that is switched on, of the agent's workspace. */
export type ListeningChannel = Channel & { workspaceId: string; nowMs: number };

/** One small look, mostly at nothing. */
export async function listeningChannels(em: EntityManager, agentId: string): Promise<ListeningChannel[]> {
  return db(em)
    .selectFrom('agents as a')
    .innerJoin('channels as c', 'c.workspaceId', 'a.workspaceId')
    .innerJoin('webhooks as w', 'w.id', 'c.id')
    .where('a.id', '=', agentId)
    .where('w.deletedAt', 'is', null)
    .where('w.enabled', '=', true)
    .select(['c.id', 'c.workspaceId', 'c.kind', 'c.personId', 'c.subscriptions', 'c.threads', epochMs(now).as('nowMs')])
    .orderBy('c.id')
    .execute();
}

/**
 * Writes, in the caller's transaction, the messages to people about what happened, with their start orders. Told twice,
 * a channel still hears of an event once.
 */
export async function enqueueMessages(
  em: EntityManager,
  channels: readonly ListeningChannel[],
  happened: readonly Notice[],
): Promise<void> {
  const [first] = channels;
  if (first === undefined || happened.length === 0) return;
  const { workspaceId, nowMs } = first;
  const planned = await plan(em, channels, happened, nowMs);
  // Messages that several transactions add to are made by one of them at a time: the one that holds the events.
  if (planned.some(({ dueMs }) => dueMs !== null)) await lockFor(em, `workspace_events ${workspaceId}`);
  for (const message of planned) await enqueue(em, workspaceId, message, nowMs);
}

async function plan(
  em: EntityManager,
  channels: readonly Channel[],
  happened: readonly Notice[],
  nowMs: number,
): Promise<PlannedMessage[]> {
  const channelIds = channels.map(({ id }) => id);
  const threads = happened.map(({ event, agentId, facts }) => threadOf(event, agentId, facts));
  const told = new Set((await toldThreads(em, channelIds, threads)).map((one) => `${one.channelId} ${one.thread}`));
  const known = await knownNotices(em, channelIds, happened);
  return planMessages(channels, happened, nowMs, (channelId, thread) => told.has(`${channelId} ${thread}`))
    .map((message) => ({
      ...message,
      notices: message.notices.filter((notice) => !known.has(nameOf(message.channelId, notice))),
    }))
    .filter(({ notices }) => notices.length > 0);
}

const nameOf = (channelId: string, { event, eventKey }: Pick<Notice, 'event' | 'eventKey'>) =>
  `${channelId} ${event} ${eventKey}`;

async function knownNotices(em: EntityManager, channelIds: readonly string[], happened: readonly Notice[]) {
  const rows = await db(em)
    .selectFrom('notices')
    .where('channelId', '=', anyId(channelIds))
    .where('eventKey', '=', anyText(happened.map(({ eventKey }) => eventKey)))
    .select(['channelId', 'event', 'eventKey'])
    .execute();
  return new Set(rows.map((row) => nameOf(row.channelId, row)));
}

async function enqueue(em: EntityManager, workspaceId: string, message: PlannedMessage, nowMs: number): Promise<void> {
  const { channelId, notices, bundle } = message;
  const [first] = notices;
  if (first === undefined) return;
  const dueAt = new Date(message.dueMs ?? nowMs).toISOString();
  const made = await insertDelivery(em, workspaceId, message, first, dueAt);
  const isAtOnce = message.dueMs === null;
  if (isAtOnce && made === null) return;
  // What is due later is taken by its message when it is sent: until then others join it.
  const deliveryId = isAtOnce ? made : null;
  const rows = notices.map(({ event, eventKey, agentId, facts }) => ({
    id: newId(),
    workspaceId,
    channelId,
    agentId,
    event,
    eventKey,
    deliveryId,
    dueAt,
    thread: threadOf(event, agentId, facts),
    facts: json(facts),
  }));
  await db(em)
    .insertInto('notices')
    .values(rows.map((row): NewRow<'notices'> => ({ ...row })))
    .onConflict((conflict) => conflict.columns(['channelId', 'event', 'eventKey']).doNothing())
    .execute();
  if (made === null) return;
  if (deliveryId !== null) {
    const told = rows.map(({ thread }) => ({ workspaceId, channelId, thread, rootDeliveryId: deliveryId }));
    await rootThreads(em, told);
  }
  const { agentId } = first;
  const event = bundle === null ? first.event : 'digest';
  const entry = deliveryEntry({ deliveryId: made, workspaceId, agentId, event, again: 0 });
  await insertOutboxEntry(em, entry, { workspaceId, agentId });
}

/** @returns its id; null where there is such a message already. */
async function insertDelivery(
  em: EntityManager,
  workspaceId: string,
  { channelId, bundle }: PlannedMessage,
  { event, eventKey, agentId }: Notice,
  dueAt: string,
): Promise<string | null> {
  const named = bundle === null ? { event, eventKey } : { event: 'digest' as const, eventKey: bundle };
  const row = { id: newId(), workspaceId, webhookId: channelId, agentId, ...named };
  const made = await db(em)
    .insertInto('webhook_deliveries')
    .values({ ...row, nextTryAt: dueAt, roundBeganAt: dueAt })
    .onConflict((conflict) => conflict.columns(['webhookId', 'event', 'eventKey']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}
