import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import type { Row } from '../tables.ts';
import type { AuditEntryRow } from './entities.ts';

export type NewAuditEntry = Omit<AuditEntryRow, 'id' | 'createdAt'>;
export type AuditView = Omit<Row<'audit_entries'>, 'workspaceId'>;

export async function insertAuditEntry(em: EntityManager, entry: NewAuditEntry): Promise<void> {
  const { workspaceId, agentId, surface, principalKind, apiKeyId, personId, tool, operation, status, goalId } = entry;
  const who = { surface, principalKind, apiKeyId, personId };
  const what = { tool, operation, targetIds: json(entry.targetIds), argsHash: entry.argsHash, status, goalId };
  await db(em)
    .insertInto('audit_entries')
    .values({ id: newId(), workspaceId, agentId, ...who, ...what })
    .execute();
}

/**
 * What the caller's own workspace did, newest first; where an agent is named, to that: on a shared demo agent others have
 * entries too.
 */
export function listAuditEntries(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string | null },
  { principalKind }: { principalKind: AuditEntryRow['principalKind'] | null },
  page: ListPage,
): Promise<AuditView[]> {
  let entries = db(em).selectFrom('audit_entries').where('workspaceId', '=', workspaceId);
  if (agentId !== null) entries = entries.where('agentId', '=', agentId);
  if (principalKind) entries = entries.where('principalKind', '=', principalKind);
  return newestFirst(entries, ['createdAt', 'id'], page)
    .select(['id', 'agentId', 'surface', 'principalKind', 'apiKeyId', 'personId', 'tool', 'operation', 'targetIds'])
    .select(['argsHash', 'status', 'goalId', 'createdAt'])
    .execute();
}
