import { z } from 'zod';
import { MODEL_READING_MODES, MODEL_SHARES, READER_TROUBLES } from '../domain/vocabulary.ts';
import { count, share, timestamp } from './common.ts';

const usd = z.number().min(0);

const estimate = z
  .strictObject({
    calls: count,
    inputTokens: count,
    cachedInputTokens: count.describe('Of these: what a provider is expected to have in its cache.'),
    outputTokens: count,
    usd: usd.nullable().describe('At the prices of the installation; null where the model has none.'),
    basis: z
      .enum(['measured', 'sampled'])
      .describe('`measured`: on calls that were read. `sampled`: from the questions that would be asked about some.'),
    text: z.string().describe('The same in a sentence.'),
  })
  .meta({
    id: 'ReadingEstimate',
    examples: [
      {
        calls: 1000,
        inputTokens: 6_900_000,
        cachedInputTokens: 4_800_000,
        outputTokens: 600_000,
        usd: 1.9,
        basis: 'sampled',
        text: '1,000 calls of this agent: about 7.5 M tokens, 1.90 USD at your prices',
      },
    ],
  });
export type ReadingEstimateResource = z.infer<typeof estimate>;

export const modelReading = z
  .strictObject({
    object: z.literal('model_reading'),
    model: z
      .strictObject({
        name: z.string(),
        host: z.string().describe('Where it is asked.'),
        priced: z.boolean().describe('False: it has no price, so that what it costs is not known.'),
        own: z.boolean().describe("The workspace's own, and not the installation's."),
      })
      .nullable()
      .describe('Null: none is configured, and calls are read by rules alone.'),
    mode: z.enum(MODEL_READING_MODES),
    share: z.enum(MODEL_SHARES),
    sharePercent: z.int(),
    budgetUsd: z.number().nullable().describe('In a UTC month; null: unlimited.'),
    calls: z.strictObject({
      waiting: count,
      read: count,
      givenUp: count,
      left: count.describe('Outside of the share that is read.'),
    }),
    month: z
      .strictObject({
        startsAt: timestamp,
        questions: count,
        inputTokens: count,
        cachedInputTokens: count,
        outputTokens: count,
        cachedShare: share.nullable().describe('Of the input; null where nothing was asked yet.'),
        usd: usd.describe('With what is held back for questions that are out.'),
      })
      .describe('The present UTC month.'),
    pause: z
      .strictObject({
        kind: z.enum([...READER_TROUBLES, 'limit', 'budget', 'allowance']),
        reason: z.string(),
        since: timestamp.nullable(),
        until: timestamp.nullable().describe('When it is tried again by itself; null where that is not known.'),
      })
      .nullable()
      .describe('Why nothing is asked for now.'),
    notes: z.array(z.string()).describe('What makes reading cost more than it has to, or not be counted.'),
    estimate: estimate.nullable().describe('Of 1,000 calls; null before the first call was analysed.'),
  })
  .meta({ id: 'ModelReading' });
export type ModelReadingResource = z.infer<typeof modelReading>;

export const historyToRead = z.strictObject({
  from: timestamp.optional().describe('Calls that began since then.'),
  to: timestamp.optional().describe('Calls that began before that.'),
  newest: z.int().min(1).max(100_000).optional().describe('At most so many, the newest; 1,000 if left out.'),
});

export const plannedReading = z
  .strictObject({
    object: z.literal('planned_reading'),
    calls: count.describe('Analysed calls that no model has read and none is about to read.'),
    estimate: estimate.nullable(),
    leftUsd: z.number().nullable().describe("What is left of the agent's month; null: unlimited."),
  })
  .meta({ id: 'PlannedReading' });
