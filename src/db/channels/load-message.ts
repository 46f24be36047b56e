import { sql } from 'kysely';
import { isQuotedEvent, type Worded } from '../../domain/messages/wording.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, now } from '../expressions.ts';
import { findMembership } from '../system/people.ts';
import { readsQuotes } from './channels.ts';
import { rootThreads } from './threads.ts';

/** Where a message goes; a person's own address is the one of the moment. */
export type MessageTarget = { sealedAddress: string } | { email: string } | { gone: true };

export interface ChannelToTell {
  id: string;
  workspaceId: string;
  target: MessageTarget;
  /** Of mail: see `hasAgreed`. */
  agreed: string | null;
  /** Who had the workspace tell it. */
  createdBy: string;
  isOwn: boolean;
}

export async function loadChannelToTell(em: EntityManager, channelId: string): Promise<ChannelToTell> {
  const channel = await findChannelToTell(em, channelId);
  if (channel === null) throw new Error('A message is of a channel that is not there.');
  return channel;
}

/** Null where there is none, or it was deleted. */
export async function findChannelToTell(em: EntityManager, channelId: string): Promise<ChannelToTell | null> {
  const channel = await db(em)
    .selectFrom('channels as c')
    .innerJoin('webhooks as w', 'w.id', 'c.id')
    .where('c.id', '=', channelId)
    .select(['c.id', 'c.workspaceId', 'c.personId', 'c.sealedAddress', 'c.agreed', 'w.createdBy'])
    .executeTakeFirst();
  if (!channel) return null;
  const { id, workspaceId, personId, sealedAddress, createdBy, agreed } = channel;
  const to = { id, workspaceId, createdBy, agreed };
  if (sealedAddress !== null) return { ...to, target: { sealedAddress }, isOwn: false };
  const member = personId === null ? null : await findMembership(em, { workspaceId, personId });
  return { ...to, target: member === null ? { gone: true } : { email: member.email }, isOwn: true };
}

/** A notice of a message, with words of a call where they may be told. */
export type NoticeToTell = Worded & { thread: string };

/**
 * What a message tells of: its own notices, and, for one that was due at a time, all that wait for a message by now.
 * Asked again, it is the same.
 */
export async function takeNotices(
  em: EntityManager,
  { channelId, deliveryId, isDigest }: { channelId: string; deliveryId: string; isDigest: boolean },
): Promise<NoticeToTell[]> {
  return em.transactional(async (tx) => {
    if (isDigest) await takeWaiting(tx, channelId, deliveryId);
    // Held until the message is kept: an erasure that comes between waits, and then finds its words.
    await lockDelivery(tx, deliveryId);
    const rows = await db(tx)
      .selectFrom('notices')
      .where('deliveryId', '=', deliveryId)
      .select(['workspaceId', 'channelId', 'agentId', 'event', 'facts', 'thread'])
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    const told = rows.map(({ workspaceId, thread }) => ({
      workspaceId,
      channelId,
      thread,
      rootDeliveryId: deliveryId,
    }));
    await rootThreads(tx, told);
    const [first] = rows;
    const quotes = first && (await readsQuotes(tx, first.workspaceId)) ? await readQuotes(tx, deliveryId) : new Map();
    return rows.map(({ agentId, event, facts, thread }) => ({
      agentId,
      event,
      facts,
      thread,
      quote: isQuotedEvent(event) ? (quotes.get(String(facts['issueId'])) ?? null) : null,
    }));
  });
}

async function lockDelivery(em: EntityManager, deliveryId: string): Promise<void> {
  await db(em).selectFrom('webhook_deliveries').where('id', '=', deliveryId).select('id').forNoKeyUpdate().execute();
}

async function takeWaiting(em: EntityManager, channelId: string, deliveryId: string): Promise<void> {
  await db(em)
    .updateTable('notices')
    .where('channelId', '=', channelId)
    .where('deliveryId', 'is', null)
    .where('dueAt', '<=', now)
    // What a channel missed while it was switched off for longer is no news any more.
    .where('dueAt', '>', ago(1, 'days'))
    .set({ deliveryId })
    .execute();
}

/** Words of the newest call behind each issue that a message tells of. */
async function readQuotes(em: EntityManager, deliveryId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; quote: string }>`
    select i.id, q.quote from (
      select distinct (facts ->> 'issueId')::uuid as id from notices where delivery_id = ${deliveryId} and facts ? 'issueId'
    ) told
    join issues i on i.id = told.id
    cross join lateral (
      select s.quote from issue_calls l join call_signals s on s.call_id = l.call_id and s.agent_id = i.agent_id
      where l.issue_id = i.id and l.agent_id = i.agent_id and s.code = i.code and s.place_kind = i.place_kind
        and s.place_id = i.place_id and s.quote <> ''
      order by l.call_id desc limit 1
    ) q`.execute(db(em));
  return new Map(rows.map(({ id, quote }) => [id, quote]));
}

/** Keeps the bytes of a message, so that each try sends the same. @returns those that are kept. */
export async function keepBody(em: EntityManager, deliveryId: string, body: string): Promise<string> {
  const kept = await db(em)
    .updateTable('webhook_deliveries')
    .where('id', '=', deliveryId)
    .set((eb) => ({ body: eb.fn.coalesce('body', eb.val(body)) }))
    .returning('body')
    .executeTakeFirstOrThrow();
  return kept.body ?? body;
}
