import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import type { AuditEntryRow } from '../rows/access.ts';

export type NewAuditEntry = Omit<AuditEntryRow, 'id' | 'createdAt'>;
export type AuditView = Omit<AuditEntryRow, 'workspaceId' | 'createdAt'> & { createdAt: string };

export async function insertAuditEntry(em: EntityManager, entry: NewAuditEntry): Promise<void> {
  await sql`
    insert into audit_entries (id, workspace_id, agent_id, surface, principal_kind, api_key_id, person_id, tool,
      operation, target_ids, args_hash, status, goal_id)
    values (${newId()}, ${entry.workspaceId}, ${entry.agentId ?? null}, ${entry.surface}, ${entry.principalKind},
      ${entry.apiKeyId ?? null}, ${entry.personId ?? null}, ${entry.tool ?? null}, ${entry.operation},
      ${JSON.stringify(entry.targetIds)}::jsonb, ${entry.argsHash}, ${entry.status}, ${entry.goalId ?? null})
  `.execute(em.getKysely());
}

/** What the caller's own workspace did to an agent, newest first: on a shared demo agent others have entries too. */
export async function listAuditEntries(
  em: EntityManager,
  scope: { workspaceId: string; agentId: string },
  filter: { principalKind: AuditEntryRow['principalKind'] | null },
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<AuditView[]> {
  const kind = filter.principalKind ? sql`and principal_kind = ${filter.principalKind}` : sql``;
  const after = page.after
    ? sql`and (created_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<AuditView>`
    select id, agent_id as "agentId", surface, principal_kind as "principalKind", api_key_id as "apiKeyId",
      person_id as "personId", tool, operation, target_ids as "targetIds", args_hash as "argsHash", status,
      goal_id as "goalId", created_at as "createdAt"
    from audit_entries where workspace_id = ${scope.workspaceId} and agent_id = ${scope.agentId} ${kind} ${after}
    order by created_at desc, id desc limit ${page.limit + 1}
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, createdAt: toIso(row.createdAt) }));
}
