import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, now } from '../expressions.ts';

export interface IngestTokenView {
  id: string;
  connectionId: string;
  agentId: string;
  name: string;
  prefix: string;
  lastUsedAt: string | null;
  createdAt: string;
}

const COLUMNS = ['id', 'connectionId', 'agentId', 'name', 'prefix', 'lastUsedAt', 'createdAt'] as const;

export function insertIngestToken(
  em: EntityManager,
  token: Pick<IngestTokenView, 'connectionId' | 'agentId' | 'name' | 'prefix'> & {
    workspaceId: string;
    secretHash: string;
    createdBy: string;
  },
): Promise<IngestTokenView> {
  const { workspaceId, connectionId, agentId, name, secretHash, prefix, createdBy } = token;
  return db(em)
    .insertInto('ingest_tokens')
    .values({ id: newId(), workspaceId, connectionId, agentId, name, secretHash, prefix, createdBy })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

const inForce = (em: EntityManager, workspaceId: string) =>
  db(em)
    .selectFrom('ingest_tokens')
    .where('workspaceId', '=', workspaceId)
    .where('revokedAt', 'is', null)
    .select(COLUMNS);

/** Tokens of a connection that are not revoked, newest first. */
export function listIngestTokens(
  em: EntityManager,
  workspaceId: string,
  connectionId: string,
  page: { after: string | null; limit: number },
): Promise<IngestTokenView[]> {
  let tokens = inForce(em, workspaceId).where('connectionId', '=', connectionId);
  if (page.after !== null) tokens = tokens.where('id', '<', page.after);
  return tokens
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
}

export async function findIngestToken(
  em: EntityManager,
  workspaceId: string,
  tokenId: string,
): Promise<IngestTokenView | null> {
  return (await inForce(em, workspaceId).where('id', '=', tokenId).executeTakeFirst()) ?? null;
}

/** @returns false when somebody else revoked it first. */
export async function revokeIngestToken(em: EntityManager, workspaceId: string, tokenId: string): Promise<boolean> {
  const revoked = await db(em)
    .updateTable('ingest_tokens')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', tokenId)
    .where('revokedAt', 'is', null)
    .set({ revokedAt: now })
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

export interface IngestHolder {
  tokenId: string;
  workspaceId: string;
  agentId: string;
}

/** Whose a token is: found before any workspace is known. */
export async function holderOfIngestToken(em: EntityManager, secretHash: string): Promise<IngestHolder | null> {
  const found = await db(em)
    .selectFrom('ingest_tokens')
    .where('secretHash', '=', secretHash)
    .where('revokedAt', 'is', null)
    .select(['id as tokenId', 'workspaceId', 'agentId'])
    .executeTakeFirst();
  return found ?? null;
}

/** Notes the use of a token at most once a minute. */
export async function touchIngestToken(em: EntityManager, tokenId: string): Promise<void> {
  await db(em)
    .updateTable('ingest_tokens')
    .where('id', '=', tokenId)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', ago(1, 'minutes'))]))
    .set({ lastUsedAt: now })
    .execute();
}
