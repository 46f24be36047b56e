import { z } from 'zod';
import { AS_WORKSPACE } from '../domain/retention/retention.ts';
import { uuid } from './common.ts';
import { plainText } from './text.ts';

const DAYS_AT_MOST = 36_500;
const days = z.int().min(1).max(DAYS_AT_MOST).nullable();

const WHAT = {
  payloadDays: 'What platforms and files sent, as it came; never kept for longer than the transcript.',
  transcriptDays: 'Every word of a call, and what quotes it. How the call ended, its signals and all figures stay.',
  callDays: 'The call with everything derived from it, including tests made from it, as if it were erased.',
} as const;

const described = (schema: typeof days) =>
  z.strictObject({
    payloadDays: schema.describe(WHAT.payloadDays),
    transcriptDays: schema.describe(WHAT.transcriptDays),
    callDays: schema.describe(WHAT.callDays),
  });

export const retention = described(days).meta({
  id: 'Retention',
  description: 'Days for which calls are kept, from the day on which they came in; null: for ever.',
});

const workspaceRetention = z
  .strictObject({ payloadDays: days.optional(), transcriptDays: days.optional(), callDays: days.optional() })
  .describe('Days from the day on which calls came in; null: for ever. What is left out stays as it is.');

const ownDays = z.union([days, z.literal(AS_WORKSPACE)]).optional();
export const agentRetention = z
  .strictObject({ payloadDays: ownDays, transcriptDays: ownDays, callDays: ownDays })
  .describe(
    "Days from the day on which calls came in, in place of the workspace's; null: for ever; `workspace`: as the workspace has it. What is left out stays as it is.",
  );

const from = z.enum(['agent', 'workspace']);
export const retentionFrom = z
  .strictObject({ payloadDays: from, transcriptDays: from, callDays: from })
  .describe('Who set what is in force.');

export const workspaceSettings = z
  .strictObject({ object: z.literal('workspace'), id: uuid, name: z.string(), retention })
  .meta({ id: 'WorkspaceSettings' });
export type WorkspaceSettings = z.infer<typeof workspaceSettings>;

export const workspaceChange = z.strictObject({
  name: plainText(1, 100).optional(),
  retention: workspaceRetention.optional(),
});
