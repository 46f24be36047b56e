import { sql } from 'kysely';
import type { ConnectionStatus, Platform } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { toIso, toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { insertHookAddress } from '../system/hooks.ts';

/** The workspace's connection to a platform at one address; its key and address are brought up to date. */
export async function ensureConnection(
  em: EntityManager,
  made: { workspaceId: string; platform: Platform; baseUrl: string | null; sealedKey: string | null },
): Promise<string> {
  const db = em.getKysely();
  const { rows } = await sql<{ id: string }>`
    update platform_connections set base_url = ${made.baseUrl}, sealed_key = ${made.sealedKey}
    where id = (select id from platform_connections where workspace_id = ${made.workspaceId}
      and platform = ${made.platform} order by created_at, id limit 1)
    returning id
  `.execute(db);
  return rows[0]?.id ?? insertConnection(em, made);
}

/** `status` is `ok` for a platform that needs no look, such as our own demo. */
export async function insertConnection(
  em: EntityManager,
  made: {
    workspaceId: string;
    platform: Platform;
    baseUrl: string | null;
    sealedKey: string | null;
    status?: ConnectionStatus;
  },
): Promise<string> {
  const id = newId();
  await sql`
    insert into platform_connections (id, workspace_id, platform, base_url, sealed_key, status)
    values (${id}, ${made.workspaceId}, ${made.platform}, ${made.baseUrl}, ${made.sealedKey}, ${made.status ?? 'ok'})
  `.execute(em.getKysely());
  await insertHookAddress(em, { connectionId: id, workspaceId: made.workspaceId });
  return id;
}

export interface SharedDemoAgent {
  id: string;
  name: string;
  providerAgentId: string;
  /** Where the demo platform listens, as of its last start. */
  baseUrl: string;
}

/** The shared demo agents, in the order in which they were made. */
export async function listSharedDemoAgents(em: EntityManager): Promise<SharedDemoAgent[]> {
  const { rows } = await sql<SharedDemoAgent>`
    select a.id, a.name, a.provider_agent_id as "providerAgentId", c.base_url as "baseUrl"
    from agents a join platform_connections c on c.id = a.connection_id
    where a.read_only and a.provider = 'demo' and c.base_url is not null order by a.id
  `.execute(em.getKysely());
  return rows;
}

export interface ConnectionView {
  id: string;
  platform: Platform;
  baseUrl: string | null;
  sealedKey: string | null;
  sealedWebhookSecret: string | null;
  status: ConnectionStatus;
  message: string | null;
  checks: number;
  agents: { providerAgentId: string; name: string; agentId: string | null }[];
  checkedAt: string | null;
  createdAt: string;
}

/** With each agent that the key showed stands the one of ours that it was connected as. */
const view = sql`
  select c.id, c.platform, c.base_url as "baseUrl", c.sealed_key as "sealedKey",
    c.sealed_webhook_secret as "sealedWebhookSecret", c.status, c.message, c.checks,
    c.checked_at as "checkedAt", c.created_at as "createdAt",
    coalesce((select jsonb_agg(listed.agent || jsonb_build_object('agentId', a.id) order by listed.nth)
      from jsonb_array_elements(c.agents) with ordinality as listed(agent, nth)
      left join agents a on a.workspace_id = c.workspace_id and a.provider = c.platform
        and a.provider_agent_id = listed.agent ->> 'providerAgentId'), '[]') as agents
  from platform_connections c`;

const present = (row: ConnectionView): ConnectionView => ({
  ...row,
  checkedAt: toIsoOrNull(row.checkedAt),
  createdAt: toIso(row.createdAt),
});

/** Of the workspace in scope: those of the shared demo, which row security shows to everyone, are nobody else's to use. */
export async function findConnection(em: EntityManager, connectionId: string): Promise<ConnectionView | null> {
  const { rows } = await sql<ConnectionView>`
    ${view} where c.id = ${connectionId} and c.workspace_id = (select workspace_in_scope())`.execute(em.getKysely());
  return rows[0] ? present(rows[0]) : null;
}

/** Newest first. */
export async function listConnections(
  em: EntityManager,
  workspaceId: string,
  page: { after: string | null; limit: number },
): Promise<ConnectionView[]> {
  const { rows } = await sql<ConnectionView>`
    ${view} where c.workspace_id = ${workspaceId} and (${page.after}::uuid is null or c.id < ${page.after}::uuid)
    order by c.id desc limit ${page.limit + 1}`.execute(em.getKysely());
  return rows.map(present);
}

/** Begins a look at the platform, with another key or address where one is given. @returns which look it is. */
export async function beginCheck(
  em: EntityManager,
  connectionId: string,
  set: { sealedKey?: string; baseUrl?: string | null } = {},
): Promise<number> {
  const { rows } = await sql<{ checks: number }>`
    update platform_connections set status = 'checking', message = null, checks = checks + 1,
      sealed_key = coalesce(${set.sealedKey ?? null}, sealed_key),
      base_url = case when ${set.baseUrl !== undefined} then ${set.baseUrl ?? null} else base_url end
    where id = ${connectionId} returning checks`.execute(em.getKysely());
  return rows[0]?.checks ?? 0;
}

/** What the platform's events are signed with from now on; null: nothing of their own. */
export async function setWebhookSecret(em: EntityManager, connectionId: string, sealed: string | null): Promise<void> {
  await sql`
    update platform_connections set sealed_webhook_secret = ${sealed} where id = ${connectionId}
  `.execute(em.getKysely());
}

interface Look {
  connectionId: string;
  check: number;
}

/** What a look found. Nothing, once a newer look was ordered. */
export async function storeLook(
  em: EntityManager,
  { connectionId, check }: Look,
  agents: { providerAgentId: string; name: string }[],
): Promise<void> {
  await sql`
    update platform_connections set status = 'ok', message = null, agents = ${JSON.stringify(agents)}::jsonb,
      checked_at = now()
    where id = ${connectionId} and checks = ${check}`.execute(em.getKysely());
}

export async function noteConnection(
  em: EntityManager,
  { connectionId, check, status, message }: Look & { status: ConnectionStatus; message: string },
): Promise<void> {
  await sql`
    update platform_connections set status = ${status}, message = ${message},
      checked_at = case when ${status} = 'refused' then now() else checked_at end
    where id = ${connectionId} and checks = ${check}`.execute(em.getKysely());
}
