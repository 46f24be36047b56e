import { sql } from 'kysely';
import { ORDERS_CHANNEL, type Order } from '../../durable/orders.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';

export interface StoredOrder extends Order {
  id: string;
  workspaceId: string;
  /** Sends that were begun, this one included. */
  tries: number;
}

/** Writes an order in the caller's transaction and wakes the starters when it commits. */
export async function insertOrder(
  em: EntityManager,
  order: Order,
  owner: { workspaceId: string; agentId: string | null },
): Promise<void> {
  await sql`
    insert into start_orders (id, workflow, workflow_id, action, start_args, signal_args, workspace_id, agent_id)
    values (${newId()}, ${order.workflow}, ${order.workflowId}, ${order.action}, ${JSON.stringify(order.startArgs)}::jsonb,
      ${JSON.stringify(order.signalArgs)}::jsonb, ${owner.workspaceId}, ${owner.agentId})
  `.execute(em.getKysely());
  await sql`select pg_notify(${ORDERS_CHANNEL}, '')`.execute(em.getKysely());
}

/** Takes unsent orders, oldest first, for as long as the lease lasts; two senders never take the same one. */
export async function claimOrders(em: EntityManager, limit: number, leaseSeconds: number): Promise<StoredOrder[]> {
  const { rows } = await sql<StoredOrder & { createdAt: string }>`
    update start_orders set leased_until = now() + ${`${leaseSeconds} seconds`}::interval, tries = tries + 1
    where id in (
      select id from start_orders where sent_at is null and (leased_until is null or leased_until < now())
      order by created_at limit ${limit} for update skip locked
    )
    returning id, workflow, workflow_id as "workflowId", action, start_args as "startArgs", signal_args as "signalArgs",
      workspace_id as "workspaceId", tries, created_at::text as "createdAt"
  `.execute(em.getKysely());
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function markOrderSent(em: EntityManager, id: string): Promise<void> {
  await sql`update start_orders set sent_at = now(), leased_until = null, last_error = null where id = ${id}`.execute(
    em.getKysely(),
  );
}

/** Leaves the order to a later sweep, with what went wrong in words. */
export async function markOrderUnsent(
  em: EntityManager,
  id: string,
  error: string,
  againInSeconds: number,
): Promise<void> {
  await sql`
    update start_orders set leased_until = now() + ${`${againInSeconds} seconds`}::interval, last_error = ${error.slice(0, 500)}
    where id = ${id}
  `.execute(em.getKysely());
}

/** Age of the oldest unsent order in seconds and how many wait; null when none does. */
export async function openOrders(em: EntityManager): Promise<{ count: number; oldestSeconds: number } | null> {
  const { rows } = await sql<{ count: number; oldestSeconds: number | null }>`
    select count(*)::int as count, extract(epoch from now() - min(created_at))::float8 as "oldestSeconds"
    from start_orders where sent_at is null
  `.execute(em.getKysely());
  const [row] = rows;
  return row && row.oldestSeconds !== null ? { count: row.count, oldestSeconds: row.oldestSeconds } : null;
}

/** Sent orders are kept for a week, for whoever asks what happened. */
export async function dropOldOrders(em: EntityManager): Promise<void> {
  await sql`delete from start_orders where sent_at < now() - interval '7 days'`.execute(em.getKysely());
}
