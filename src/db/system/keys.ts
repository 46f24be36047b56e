import { sql } from 'kysely';
import type { KeyAccess } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { toIso, toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';

export async function touchKey(em: EntityManager, keyId: string): Promise<void> {
  await sql`
    update api_keys set last_used_at = now()
    where id = ${keyId} and (last_used_at is null or last_used_at < now() - interval '59 seconds')
  `.execute(em.getKysely());
}

export interface KeyView {
  id: string;
  name: string;
  prefix: string;
  access: KeyAccess;
  agentId: string | null;
  monthlyBudgetUsd: number | null;
  /** What its runs hold back or have spent this UTC month, in billionths of a dollar. */
  usedNanoUsd: number;
  lastUsedAt: string | null;
  createdAt: string;
}

const keyColumns = sql`
  id, name, prefix, access, agent_id as "agentId", monthly_budget_usd::float8 as "monthlyBudgetUsd",
  (select coalesce(sum(case when settled_at is null then greatest(held_nano_usd, spent_nano_usd) else spent_nano_usd end), 0)
    from budget_reservations where api_key_id = api_keys.id
      and month = date_trunc('month', clock_timestamp() at time zone 'UTC')::date)::float8 as "usedNanoUsd",
  last_used_at as "lastUsedAt", created_at as "createdAt"
`;

const toKey = (row: KeyView): KeyView => ({
  ...row,
  lastUsedAt: toIsoOrNull(row.lastUsedAt),
  createdAt: toIso(row.createdAt),
});

/** Keys that are not revoked, newest first. */
export async function listKeys(
  em: EntityManager,
  workspaceId: string,
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<KeyView[]> {
  const after = page.after
    ? sql`and (created_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<KeyView>`
    select ${keyColumns} from api_keys where workspace_id = ${workspaceId} and revoked_at is null ${after}
    order by created_at desc, id desc limit ${page.limit + 1}
  `.execute(em.getKysely());
  return rows.map(toKey);
}

export async function findKey(em: EntityManager, workspaceId: string, keyId: string): Promise<KeyView | null> {
  const { rows } = await sql<KeyView>`
    select ${keyColumns} from api_keys where workspace_id = ${workspaceId} and id = ${keyId} and revoked_at is null
  `.execute(em.getKysely());
  return rows[0] ? toKey(rows[0]) : null;
}

export async function insertKey(
  em: EntityManager,
  key: {
    workspaceId: string;
    name: string;
    access: KeyAccess;
    agentId: string | null;
    monthlyBudgetUsd: number | null;
    secretHash: string;
    prefix: string;
    createdBy: string;
  },
): Promise<KeyView> {
  const { rows } = await sql<KeyView>`
    insert into api_keys (id, workspace_id, name, access, agent_id, monthly_budget_usd, secret_hash, prefix, created_by)
    values (${newId()}, ${key.workspaceId}, ${key.name}, ${key.access}, ${key.agentId}, ${key.monthlyBudgetUsd},
      ${key.secretHash}, ${key.prefix}, ${key.createdBy})
    returning ${keyColumns}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL returned no row for a new key.');
  return toKey(row);
}

/** @returns false when somebody else revoked it first. */
export async function revokeKey(em: EntityManager, workspaceId: string, keyId: string): Promise<boolean> {
  const { rows } = await sql`
    update api_keys set revoked_at = now()
    where workspace_id = ${workspaceId} and id = ${keyId} and revoked_at is null returning id
  `.execute(em.getKysely());
  return rows.length > 0;
}
