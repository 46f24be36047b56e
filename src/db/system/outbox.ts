import { idBoundAt, newId } from '../../ids.ts';
import { OUTBOX_CHANNEL, type OutboxEntry, rowOfEntry, type StoredEntry, tracedRow } from '../../temporal/outbox.ts';
import { currentTrace } from '../../tracing/tracing.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, fromNow, json, notify, now, secondsSince } from '../expressions.ts';

const KEPT_DAYS = 7;

/** Writes an entry in the caller's transaction and wakes the relays when it commits. */
export async function insertOutboxEntry(
  em: EntityManager,
  entry: OutboxEntry,
  owner: { workspaceId: string; agentId: string | null },
): Promise<void> {
  const { workflow, workflowId, action, startArgs, signalArgs } = tracedRow(rowOfEntry(entry), currentTrace());
  const { workspaceId, agentId } = owner;
  const args = { startArgs: json(startArgs), signalArgs: json(signalArgs) };
  await db(em)
    .insertInto('outbox_entries')
    .values({ id: newId(), workflow, workflowId, action, ...args, workspaceId, agentId })
    .execute();
  await notify(em, OUTBOX_CHANNEL, '');
}

/** Takes unsent entries, oldest first, for as long as the lease lasts; two senders never take the same one. */
export async function claimOutboxEntries(
  em: EntityManager,
  limit: number,
  leaseSeconds: number,
): Promise<StoredEntry[]> {
  const rows = await db(em)
    .updateTable('outbox_entries')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('outbox_entries')
        .where('sentAt', 'is', null)
        .where(eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<', now)]))
        .select('id')
        .orderBy('createdAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .set((eb) => ({ leasedUntil: fromNow(leaseSeconds, 'seconds'), tries: eb('tries', '+', 1) }))
    .returning(['id', 'workflow', 'workflowId', 'action', 'startArgs', 'signalArgs', 'workspaceId', 'tries'])
    .execute();
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function markOutboxEntrySent(em: EntityManager, id: string): Promise<void> {
  await db(em)
    .updateTable('outbox_entries')
    .where('id', '=', id)
    .set({ sentAt: now, leasedUntil: null, lastError: null })
    .execute();
}

/** Leaves the entry to a later sweep, with what went wrong in words. */
export async function markOutboxEntryUnsent(
  em: EntityManager,
  id: string,
  error: string,
  againInSeconds: number,
): Promise<void> {
  await db(em)
    .updateTable('outbox_entries')
    .where('id', '=', id)
    .set({ leasedUntil: fromNow(againInSeconds, 'seconds'), lastError: error.slice(0, 500) })
    .execute();
}

/** Age of the oldest unsent entry in seconds and how many wait; null when none does. */
export async function openOutboxEntries(em: EntityManager): Promise<{ count: number; oldestSeconds: number } | null> {
  const { count, oldestSeconds } = await db(em)
    .selectFrom('outbox_entries')
    .where('sentAt', 'is', null)
    .select(({ fn }) => [fn.countAll<number>().as('count'), secondsSince(fn.min('createdAt')).as('oldestSeconds')])
    .executeTakeFirstOrThrow();
  return oldestSeconds === null ? null : { count, oldestSeconds };
}

/**
 * Sent entries are kept for a week, for whoever asks what happened. None was sent before it was made, so those of the
 * last week are passed over by their ids, and no index of what was sent is written with each entry.
 */
export async function dropOldOutboxEntries(em: EntityManager): Promise<void> {
  await db(em)
    .deleteFrom('outbox_entries')
    .where('id', '<', idBoundAt(Date.now() - KEPT_DAYS * 86_400_000))
    .where('sentAt', '<', ago(KEPT_DAYS, 'days'))
    .execute();
}
