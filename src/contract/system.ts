import { z } from 'zod';
import { count, uuid } from './common.ts';

const seen = z
  .strictObject({ pid: z.int().nullable(), host: z.string().nullable() })
  .describe('Null but for admins of the installation.');

export const system = z
  .strictObject({
    object: z.literal('system'),
    workers: z.array(seen).describe('Worker processes that gave a sign of life lately.'),
    apis: z.array(seen),
    orders: z
      .strictObject({ waiting: count, oldestSeconds: z.number().min(0) })
      .nullable()
      .describe('Start orders that Temporal has not taken yet; null when there are none.'),
    queues: z
      .array(
        z.strictObject({
          name: z.string(),
          kind: z.enum(['workflow', 'activity']),
          waiting: count,
          oldestSeconds: z.number().min(0),
        }),
      )
      .nullable()
      .describe('What waits in the queues of Temporal, over all workspaces; null while it does not answer.'),
    lag: z
      .strictObject({
        importSeconds: z
          .number()
          .nullable()
          .describe(
            'How far the agent of this workspace that is furthest behind is behind its platform, by calls that have ended.',
          ),
        analysisSeconds: z
          .number()
          .nullable()
          .describe('Age of the call of this workspace that waits for its analysis for the longest time.'),
        waitingImports: count.describe('Open imports that wait for a platform or a person.'),
      })
      .describe('Null where nothing lags.'),
    calls: z.strictObject({ analysed: count, waiting: count, failed: count }),
    imports: z.strictObject({ queued: count, running: count, paused: count }),
    analyser: z
      .strictObject({
        version: z.int(),
        agentsBehind: z
          .array(uuid)
          .describe('Agents with calls that an earlier analyser read; start a re-analysis of them.'),
      })
      .describe('The installed analyser. It reads new calls; those that were read before wait for a person.'),
    temporalUi: z.string().nullable(),
  })
  .meta({ id: 'System' });
export type System = z.infer<typeof system>;

export const waiting = z
  .strictObject({
    object: z.literal('waiting'),
    count: count.describe('Briefs, runs, and plans to approve, watches to review, and imports that are stuck.'),
  })
  .meta({ id: 'Waiting' });
