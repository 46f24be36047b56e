import { type AuditEntry, auditEntry, type WorkspaceAuditEntry, workspaceAuditEntry } from '../../contract/audit.ts';
import { listOf } from '../../contract/common.ts';
import { type AuditView, listAuditEntries } from '../../db/audit/audit.ts';
import { PRINCIPAL_KINDS } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, limitParam, timeCursor } from '../params.ts';

const query = {
  limit: limitParam(),
  cursor: timeCursor,
  principalKind: choiceParam(PRINCIPAL_KINDS, 'Entries of people, of keys or of the copilot.'),
};

export const listAudit = defineOperation({
  id: 'listAudit',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/audit',
  scope: 'read',
  tag: 'Access',
  summary: 'List who wrote to an agent',
  description:
    'Every change of your workspace to it, by a person, by a key, through MCP or by the copilot, refused or not; newest first.',
  whenToUse: 'Use it to see who changed something, or was refused to, and when.',
  query,
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

export const listWorkspaceAudit = defineOperation({
  id: 'listWorkspaceAudit',
  surface: 'app',
  method: 'GET',
  path: '/app/audit',
  scope: 'person',
  role: 'admin',
  tag: 'Access',
  summary: 'List who did what in the workspace',
  description:
    'Sign-ins and sign-outs, invitations and their answers, keys, members and their roles, links, connections and tokens, webhooks and channels, plan and retention, and everything in the audit logs of its agents; newest first.',
  query,
  response: listOf(workspaceAuditEntry),
  async run(context, { query: { principalKind, cursor, limit } }) {
    const owner = { workspaceId: context.person().workspaceId, agentId: null };
    const rows = await listAuditEntries(context.em, owner, { principalKind }, { after: cursor, limit });
    return context.page(rows, limit, presentOfWorkspace, (row) => [row.createdAt, row.id]);
  },
});

const presentOfWorkspace = (row: AuditView): WorkspaceAuditEntry => ({
  ...presentEntry(row),
  agentId: row.agentId ?? null,
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
