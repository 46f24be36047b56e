import { sql } from 'kysely';
import type { ConnectionStatus, Platform } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';
import { insertHookAddress } from '../system/hooks.ts';

/**
 * The workspace's connection to our demo platform; its key and address are brought up to date. One that somebody made
 * themselves for agents of their own is left to them.
 */
export async function ensureDemoConnection(
  em: EntityManager,
  made: { workspaceId: string; baseUrl: string; sealKey: (connectionId: string) => string },
): Promise<string> {
  const { workspaceId, baseUrl, sealKey } = made;
  const platform = 'demo';
  const known = await db(em)
    .selectFrom('platform_connections as c')
    .where('c.workspaceId', '=', workspaceId)
    .where('c.platform', '=', platform)
    .where((eb) => {
      const own = eb.selectFrom('agents').whereRef('agents.connectionId', '=', 'c.id');
      return eb.not(eb.exists(own.where('agents.source', '<>', 'demo').select('agents.id')));
    })
    .select('id')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const id = known?.id ?? newId();
  const sealedKey = sealKey(id);
  if (!known) return insertConnection(em, { id, workspaceId, platform, baseUrl, sealedKey });
  await db(em).updateTable('platform_connections').where('id', '=', id).set({ baseUrl, sealedKey }).execute();
  return id;
}

/** Whether agents that no plan counts are reached by a connection: those of the demo, whose data is ours. */
export async function holdsDemo(em: EntityManager, connectionId: string): Promise<boolean> {
  const demo = db(em).selectFrom('agents').where('connectionId', '=', connectionId).where('source', '=', 'demo');
  return (await demo.select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** `status` is `ok` for a platform that needs no look, such as our own demo. */
export async function insertConnection(
  em: EntityManager,
  made: {
    /** Chosen by whoever sealed the key for it. */
    id?: string;
    workspaceId: string;
    platform: Platform;
    baseUrl: string | null;
    sealedKey: string | null;
    status?: ConnectionStatus;
  },
): Promise<string> {
  const { id = newId(), workspaceId, platform, baseUrl, sealedKey, status = 'ok' } = made;
  await db(em)
    .insertInto('platform_connections')
    .values({ id, workspaceId, platform, baseUrl, sealedKey, status })
    .execute();
  await insertHookAddress(em, { connectionId: id, workspaceId });
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
export function listSharedDemoAgents(em: EntityManager): Promise<SharedDemoAgent[]> {
  return db(em)
    .selectFrom('agents as a')
    .innerJoin('platform_connections as c', 'c.id', 'a.connectionId')
    .where('a.readOnly', '=', true)
    .where('a.provider', '=', 'demo')
    .where('c.baseUrl', 'is not', null)
    .select(['a.id', 'a.name', 'a.providerAgentId', 'c.baseUrl'])
    .$narrowType<{ baseUrl: string }>()
    .orderBy('a.id')
    .execute();
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
const agents = sql<ConnectionView['agents']>`
  coalesce((select jsonb_agg(listed.agent || jsonb_build_object('agentId', a.id) order by listed.nth)
    from jsonb_array_elements(c.agents) with ordinality as listed(agent, nth)
    left join agents a on a.workspace_id = c.workspace_id and a.provider = c.platform
      and a.provider_agent_id = listed.agent ->> 'providerAgentId'), '[]')`;

const views = (em: EntityManager) =>
  db(em)
    .selectFrom('platform_connections as c')
    .select(['c.id', 'c.platform', 'c.baseUrl', 'c.sealedKey', 'c.sealedWebhookSecret', 'c.status', 'c.message'])
    .select(['c.checks', 'c.checkedAt', 'c.createdAt', agents.as('agents')]);

/** Of the workspace in scope: those of the shared demo, which row security shows to everyone, are nobody else's to use. */
export async function findConnection(em: EntityManager, connectionId: string): Promise<ConnectionView | null> {
  const own = db(em).selectNoFrom(({ fn }) => fn<string>('workspace_in_scope').as('own'));
  return (await views(em).where('c.id', '=', connectionId).where('c.workspaceId', '=', own).executeTakeFirst()) ?? null;
}

/** Newest first. */
export function listConnections(
  em: EntityManager,
  workspaceId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<ConnectionView[]> {
  let page = views(em).where('c.workspaceId', '=', workspaceId);
  if (after !== null) page = page.where('c.id', '<', after);
  return page
    .orderBy('c.id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Begins a look at the platform, with another key or address where one is given. @returns which look it is. */
export async function beginCheck(
  em: EntityManager,
  connectionId: string,
  { sealedKey, baseUrl }: { sealedKey?: string; baseUrl?: string | null } = {},
): Promise<number> {
  const begun = await db(em)
    .updateTable('platform_connections')
    .where('id', '=', connectionId)
    .set((eb) => ({ sealedKey, baseUrl, status: 'checking', message: null, checks: eb('checks', '+', 1) }))
    // It was told of another key.
    .$if(sealedKey !== undefined, (begun) => begun.set({ limitedUntil: null, liveLimitedUntil: null }))
    .returning('checks')
    .executeTakeFirst();
  return begun?.checks ?? 0;
}

/** What the platform's events are signed with from now on; null: nothing of their own. */
export async function setWebhookSecret(em: EntityManager, connectionId: string, sealed: string | null): Promise<void> {
  await db(em)
    .updateTable('platform_connections')
    .where('id', '=', connectionId)
    .set({ sealedWebhookSecret: sealed })
    .execute();
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
  await db(em)
    .updateTable('platform_connections')
    .where('id', '=', connectionId)
    .where('checks', '=', check)
    .set({ status: 'ok', message: null, agents: json(agents), checkedAt: now })
    .execute();
}

export async function noteConnection(
  em: EntityManager,
  { connectionId, check, status, message }: Look & { status: ConnectionStatus; message: string },
): Promise<void> {
  await db(em)
    .updateTable('platform_connections')
    .where('id', '=', connectionId)
    .where('checks', '=', check)
    .set({ status, message, checkedAt: status === 'refused' ? now : undefined })
    .execute();
}

/** What the platform said of a key when it was asked for calls. Nothing, once another key is there or a look is under way. */
export async function noteKey(
  em: EntityManager,
  { connectionId, sealedKey }: { connectionId: string; sealedKey: string },
  { status, message }: { status: 'ok'; message: null } | { status: 'refused'; message: string },
): Promise<void> {
  await db(em)
    .updateTable('platform_connections')
    .where('id', '=', connectionId)
    .where('sealedKey', '=', sealedKey)
    .where('status', '=', status === 'ok' ? 'refused' : 'ok')
    .set({ status, message, checkedAt: now })
    .execute();
}

export async function isAgentOfConnection(em: EntityManager, connectionId: string, agentId: string): Promise<boolean> {
  const found = await db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .where('connectionId', '=', connectionId)
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}
