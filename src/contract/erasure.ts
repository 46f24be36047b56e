import { z } from 'zod';
import { ERASURE_SCOPES, ERASURE_STATUSES } from '../domain/vocabulary.ts';
import { count, timestamp, uuid } from './common.ts';
import { plainText } from './text.ts';

const SELECTORS = ['callIds', 'callerNumber', 'callerKey'] as const;

export const newErasure = z
  .strictObject({
    callIds: z.array(uuid).min(1).max(1000).optional().describe('Calls of this agent.'),
    callerNumber: plainText(1, 100).optional().describe('All calls of this number, however it is written.'),
    callerKey: z
      .string()
      .regex(/^[A-Za-z0-9_-]{24}$/)
      .optional()
      .describe('All calls of this caller: `caller.key` of the export of calls.'),
    reason: plainText(1, 500).describe('Kept with the report. Name nobody in it.'),
  })
  .superRefine((body, context) => {
    const [first, second] = SELECTORS.filter((name) => body[name] !== undefined);
    const wrong = (param: string, message: string) =>
      context.addIssue({ code: 'custom', path: [param], message, input: body });
    if (first === undefined) wrong('callIds', 'is needed, or a callerNumber, or a callerKey');
    else if (second !== undefined) wrong(second, `can not come with ${first}`);
    const seen = new Set<string>();
    for (const [at, id] of (body.callIds ?? []).entries()) {
      if (seen.has(id.toLowerCase())) {
        context.addIssue({ code: 'custom', path: ['callIds', at], message: 'is named twice', input: id });
      }
      seen.add(id.toLowerCase());
    }
  });

export const erasure = z
  .strictObject({
    object: z.literal('erasure'),
    id: uuid,
    agentId: uuid.nullable().describe('Null: the workspace with all its agents.'),
    scope: z.enum(ERASURE_SCOPES),
    status: z.enum(ERASURE_STATUSES),
    message: z.string().describe('Where it stands and what to do, in words.'),
    total: count.describe('Calls to erase, as far as they were there when it was asked for.'),
    done: count.describe('Calls that are gone.'),
    removed: z.record(z.string(), count).describe('The report: rows that were removed, or lost their words, by table.'),
    reason: z.string(),
    requestedBy: uuid.describe('The person who asked for it.'),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'Erasure' });
export type ErasureResource = z.infer<typeof erasure>;
