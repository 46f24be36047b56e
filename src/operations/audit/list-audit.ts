import { z } from 'zod';
import { type AuditEntry, auditEntry } from '../../contract/audit.ts';
import { listOf } from '../../contract/common.ts';
import { type AuditView, listAuditEntries } from '../../db/audit/audit.ts';
import { PRINCIPAL_KINDS } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, cursorParam, limitParam } from '../params.ts';

export const listAudit = defineOperation({
  id: 'listAudit',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/audit',
  scope: 'read',
  tag: 'Access',
  summary: 'List who wrote to an agent',
  description:
    'Every write of your workspace by a key, through MCP or by the copilot, and every publish or rollback, refused or not; newest first.',
  whenToUse: 'Use it to see who changed something, or was refused to, and when.',
  query: {
    limit: limitParam(),
    cursor: cursorParam(z.tuple([z.string(), z.guid()])),
    principalKind: choiceParam(PRINCIPAL_KINDS, 'Entries of people, of keys or of the copilot.'),
  },
  response: listOf(auditEntry),
  async run(context, { query }) {
    const rows = await listAuditEntries(
      context.em,
      { workspaceId: context.caller().workspaceId, agentId: context.agent.id },
      { principalKind: query.principalKind },
      { after: query.cursor, limit: query.limit },
    );
    return context.page(rows, query.limit, presentEntry, (row) => [row.createdAt, row.id]);
  },
});

function presentEntry({ agentId: _agentId, personId, ...entry }: AuditView): AuditEntry {
  return {
    object: 'audit_entry',
    ...entry,
    apiKeyId: entry.apiKeyId ?? null,
    userId: personId ?? null,
    tool: entry.tool ?? null,
    goalId: entry.goalId ?? null,
  };
}
