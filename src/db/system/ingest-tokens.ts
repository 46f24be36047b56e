import { INGEST_BUCKETS, type IngestBucket } from '../../domain/limits/rate-limits.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import { prepared } from '../scoped-driver.ts';
import { type Maker, makerOf } from './maker.ts';

export interface IngestTokenView {
  id: string;
  connectionId: string;
  agentId: string;
  name: string;
  prefix: string;
  lastUsedAt: string | null;
  createdAt: string;
  createdBy: Maker | null;
}

const maker = makerOf('ingest_tokens').as('createdBy');
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
    .returning(maker)
    .executeTakeFirstOrThrow();
}

const inForce = (em: EntityManager, workspaceId: string) =>
  db(em)
    .selectFrom('ingest_tokens')
    .where('workspaceId', '=', workspaceId)
    .where('revokedAt', 'is', null)
    .select(COLUMNS)
    .select(maker);

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

/** Whose a token is, with one request drawn: found before any workspace is known. */
export async function enterWithIngestToken(
  em: EntityManager,
  secretHash: string,
): Promise<{ holder: IngestHolder; refused: IngestBucket | null; retryAfterSeconds: number | null } | null> {
  const { ingest, ingest_requests, ingest_kib, ingest_spans } = INGEST_BUCKETS;
  const limits = [ingest, ingest_requests, ingest_kib, ingest_spans];
  const perMinute = limits.map((limit) => limit.perMinute);
  const bursts = limits.map((limit) => limit.burst);
  const [found] = await prepared<IngestHolder & { refused: IngestBucket | null; retryAfterSeconds: number | null }>(
    em,
    { ...ENTER_INGEST, values: [secretHash, perMinute, bursts] },
  );
  if (!found) return null;
  const { refused, retryAfterSeconds, ...holder } = found;
  return { holder, refused, retryAfterSeconds };
}

/** The use of a token is noted at most once a minute. */
const ENTER_INGEST = {
  name: 'enter_ingest',
  text: `
    with drawn as materialized (
      select t.id, t.workspace_id, t.agent_id, t.last_used_at, d.refused, d.retry_after from ingest_tokens t
      cross join lateral draw_buckets(
        array['ingest:' || t.id, 'ingest_requests:' || t.workspace_id, 'ingest_kib:' || t.workspace_id,
          'ingest_spans:' || t.workspace_id], $2::int[], $3::int[]) d
      where t.secret_hash = $1 and t.revoked_at is null
    ), used as (
      update ingest_tokens t set last_used_at = now() from drawn
      where t.id = drawn.id and drawn.retry_after is null
        and (drawn.last_used_at is null or drawn.last_used_at < now() - interval '1 minute')
    )
    select id as "tokenId", workspace_id as "workspaceId", agent_id as "agentId",
      split_part(refused, ':', 1) as refused, retry_after as "retryAfterSeconds" from drawn
  `,
};
