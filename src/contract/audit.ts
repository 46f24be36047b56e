import { z } from 'zod';
import { PRINCIPAL_KINDS } from '../domain/vocabulary.ts';
import { timestamp, uuid } from './common.ts';

const AUDIT_SURFACES = ['v1', 'mcp', 'copilot', 'app'] as const;

export const auditEntry = z
  .strictObject({
    object: z.literal('audit_entry'),
    id: uuid,
    surface: z.enum(AUDIT_SURFACES).describe('Where the request came in.'),
    principalKind: z.enum(PRINCIPAL_KINDS),
    apiKeyId: uuid.nullable().describe('The key that acted; null for people.'),
    userId: z.string().nullable().describe('The person who acted; null for keys.'),
    tool: z.string().nullable().describe('The tool that was called; null where it was a plain request.'),
    operation: z.string().describe('The operationId.'),
    targetIds: z.array(z.string()).describe('What it acted on, and what it made.'),
    argsHash: z
      .string()
      .describe(
        'Keyed SHA-256 of the arguments as JSON with sorted keys; of the path alone where a request was refused before its arguments were read.',
      ),
    status: z.int().describe("The answer's HTTP status."),
    goalId: uuid.nullable().describe('The goal that it served, where it served one.'),
    createdAt: timestamp,
  })
  .meta({
    id: 'AuditEntry',
    examples: [
      {
        object: 'audit_entry',
        id: '019d1f4e-5000-7abc-8def-0123456789ab',
        surface: 'v1',
        principalKind: 'key',
        apiKeyId: '019d1f4e-5000-7abc-8def-0123456789ac',
        userId: null,
        tool: null,
        operation: 'startRun',
        targetIds: ['019d1f4e-5000-7abc-8def-0123456789ad'],
        argsHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        status: 201,
        goalId: null,
        createdAt: '2026-03-02T09:15:04.120Z',
      },
    ],
  });
export type AuditEntry = z.infer<typeof auditEntry>;

export const workspaceAuditEntry = auditEntry
  .extend({ agentId: uuid.nullable().describe('The agent that it was about; null for the workspace itself.') })
  .meta({ id: 'WorkspaceAuditEntry', examples: [] });
export type WorkspaceAuditEntry = z.infer<typeof workspaceAuditEntry>;
