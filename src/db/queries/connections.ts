import { sql } from 'kysely';
import type { Platform } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';

/** The workspace's connection to a platform at one address; its key and address are brought up to date. */
export async function ensureConnection(
  em: EntityManager,
  made: { workspaceId: string; platform: Platform; baseUrl: string | null; sealedKey: string | null },
): Promise<string> {
  const db = em.getKysely();
  const { rows } = await sql<{ id: string }>`
    update platform_connections set base_url = ${made.baseUrl}
    where id = (select id from platform_connections where workspace_id = ${made.workspaceId}
      and platform = ${made.platform} order by created_at, id limit 1)
    returning id
  `.execute(db);
  return rows[0]?.id ?? insertConnection(em, made);
}

export async function insertConnection(
  em: EntityManager,
  made: { workspaceId: string; platform: Platform; baseUrl: string | null; sealedKey: string | null },
): Promise<string> {
  const id = newId();
  await sql`
    insert into platform_connections (id, workspace_id, platform, base_url, sealed_key)
    values (${id}, ${made.workspaceId}, ${made.platform}, ${made.baseUrl}, ${made.sealedKey})
  `.execute(em.getKysely());
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
