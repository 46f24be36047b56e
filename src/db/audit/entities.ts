import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { createdAt, id } from '../columns.ts';
import { fencedApart } from '../row-security.ts';

/** One entry per write by key, MCP or copilot and per act of security, refused or not, in the transaction of the write. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  ...fencedApart,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid().nullable(),
    surface: p.enum(['v1', 'mcp', 'copilot', 'app'] as const),
    principalKind: p.enum(['person', 'key', 'copilot'] as const),
    apiKeyId: p.uuid().nullable(),
    personId: p.uuid().nullable(),
    tool: p.text().nullable(),
    operation: p.text(),
    targetIds: p.json<string[]>(),
    argsHash: p.text(),
    status: p.integer(),
    goalId: p.uuid().nullable(),
    createdAt: createdAt(),
  },
  // The caller's own workspace first: on a shared demo agent each workspace sees its own entries only.
  indexes: [
    { name: 'audit_entries_agent', properties: ['workspaceId', 'agentId', 'createdAt', 'id'] },
    { name: 'audit_entries_workspace', properties: ['workspaceId', 'createdAt', 'id'] },
  ],
});
export type AuditEntryRow = InferEntity<typeof AuditEntry>;
