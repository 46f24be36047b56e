import { z } from 'zod';
import { count } from './common.ts';

export const recordsPreview = z
  .strictObject({
    object: z.literal('records_preview'),
    records: count,
    readable: count,
    formats: z
      .array(
        z.strictObject({
          format: z.string().describe('Its name, such as "ElevenLabs post-call webhook".'),
          records: count,
          notComputable: z
            .array(z.strictObject({ reason: z.string(), codes: count }))
            .describe('Why how many codes could be computed on none of its calls; of the first 50 calls.'),
        }),
      )
      .describe('What the readable records were recognized as.'),
    understood: z.strictObject({
      callerTurns: count,
      agentTurns: count,
      toolCalls: count,
      toolResults: count,
      failedTools: count,
      unclearTools: count.describe('Answers that say neither success nor failure.'),
    }),
    refused: z
      .array(z.strictObject({ line: z.int(), field: z.string().nullable(), reason: z.string() }))
      .describe('Records that could not become calls, with the place of the fault.'),
    missing: z
      .array(z.strictObject({ field: z.string(), records: count, costs: z.string() }))
      .describe('What readable records lack, and what cannot be seen without it.'),
    warnings: z.array(z.strictObject({ warning: z.string(), records: count })),
  })
  .meta({ id: 'RecordsPreview' });
export type RecordsPreview = z.infer<typeof recordsPreview>;
