import { z } from 'zod';
import { KEY_ACCESSES } from '../domain/vocabulary.ts';
import { uuid } from './common.ts';

const bucket = z.strictObject({ perMinute: z.int(), burst: z.int() });

export const me = z
  .strictObject({
    object: z.literal('me'),
    organizationId: uuid,
    principalKind: z.enum(['person', 'key', 'copilot']),
    scope: z.enum([...KEY_ACCESSES, 'person']).describe("A key's access, or `person` for a signed-in person."),
    agentId: uuid.nullable().describe('The one agent that the key is tied to; null for all.'),
    monthlyBudgetUsd: z.number().min(0).nullable().describe('Null for read keys and people.'),
    rateLimits: z.strictObject({ requests: bucket, writes: bucket, workspace: bucket }),
  })
  .meta({
    id: 'Me',
    examples: [
      {
        object: 'me',
        organizationId: '019d1f4e-5000-7abc-8def-0123456789ab',
        principalKind: 'key',
        scope: 'read',
        agentId: null,
        monthlyBudgetUsd: null,
        rateLimits: {
          requests: { perMinute: 600, burst: 120 },
          writes: { perMinute: 60, burst: 20 },
          workspace: { perMinute: 600, burst: 600 },
        },
      },
    ],
  });
export type Me = z.infer<typeof me>;
