import { z } from 'zod';
import { keysOf } from '../domain/keys-of.ts';
import { PLANS } from '../domain/vocabulary.ts';
import { count, share, timestamp, uuid } from './common.ts';

const allowance = z.int().min(0).max(1_000_000_000).nullable();
const usd = z.number().min(0).max(1_000_000_000).nullable();

const allowances = {
  analysedCalls: allowance.describe('A period; one for each 10 minutes started.'),
  agents: allowance.describe('In total; demo agents are not counted.'),
  copilotMessages: allowance.describe('A period.'),
  testCalls: allowance.describe('Simulated test calls a period.'),
  seats: allowance.describe('In total; stated and not enforced.'),
  aiAllowanceUsd: usd.describe('What AI features may cost over 30 days; apart from the plan.'),
};

export const plan = z
  .strictObject({
    object: z.literal('plan'),
    plan: z.enum(PLANS),
    allowances: z.strictObject(allowances).describe('What holds; null is unlimited.'),
    set: z.array(z.enum(keysOf(allowances))).describe('Which of them were set.'),
    period: z.strictObject({ startsAt: timestamp, endsAt: timestamp }),
    storage: z
      .strictObject({
        limitMib: z.int().nullable().describe('Null is unlimited.'),
        isSet: z.boolean().describe('Set for this workspace, in place of what is usual in the installation.'),
        usedMib: z.number().min(0),
      })
      .describe('What is kept of calls: payloads, transcripts, uploads and spans; counted where it is bounded.'),
    used: z
      .strictObject({
        agents: count,
        analysedCalls: count,
        copilotMessages: count,
        testCalls: count.describe('Simulated test calls.'),
        aiUsd: z.number().min(0).describe('What models cost over the last 30 days, questions that are out included.'),
        aiUnpriced: z.array(z.string()).describe('Models that were asked and have no price: they count 0.'),
      })
      .describe('Calls and messages of the period, agents now.'),
    reading: z
      .strictObject({
        usd: z.number().min(0).describe('With what is held back for questions that are out; part of `used.aiUsd`.'),
        questions: count,
        cachedShare: share.nullable().describe('Of the input; null where nothing was asked yet.'),
        agents: z
          .array(
            z.strictObject({
              agentId: uuid,
              name: z.string(),
              waiting: count.describe('Calls that wait to be read.'),
              read: count.describe('Calls that were read, of whichever month.'),
              usd: z.number().min(0),
            }),
          )
          .describe('Agents whose calls a model reads, or has read; those that cost most first.'),
      })
      .describe('Reading calls by a model in the present UTC month.'),
  })
  .meta({ id: 'Plan' });
export type PlanResource = z.infer<typeof plan>;

export const planChange = z.strictObject({
  plan: z.enum(PLANS).optional(),
  allowances: z
    .strictObject(allowances)
    .partial()
    .optional()
    .describe("Set in place of the plan's own numbers; null takes a setting back."),
  storageMib: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .optional()
    .describe('How much of its calls the workspace keeps at most; null: what is usual in the installation.'),
});
