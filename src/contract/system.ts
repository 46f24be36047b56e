import { z } from 'zod';
import { count, uuid } from './common.ts';

const seen = z.strictObject({ pid: z.int(), host: z.string() });

export const system = z
  .strictObject({
    object: z.literal('system'),
    workers: z.array(seen).describe('Worker processes that gave a sign of life lately.'),
    apis: z.array(seen),
    orders: z
      .strictObject({ waiting: count, oldestSeconds: z.number().min(0) })
      .nullable()
      .describe('Start orders that Temporal has not taken yet; null when there are none.'),
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
