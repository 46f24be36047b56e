import { z } from 'zod';
import { LANES } from '../domain/vocabulary.ts';
import { count } from './common.ts';

/** Which codes could be computed on how many calls, why not on the others, and what is tested. */
export const coverage = z
  .strictObject({
    object: z.literal('coverage'),
    signals: z.array(
      z.strictObject({
        code: z.string(),
        title: z.string(),
        lane: z.enum(LANES).nullable(),
        calls: count.describe('All analysed calls.'),
        computable: count.describe('Calls on which the code could be computed: the base of its rates.'),
        notComputable: z.array(z.strictObject({ reason: z.string(), calls: count })),
      }),
    ),
    tests: z.array(z.strictObject({ lane: z.enum(LANES), tests: count })),
  })
  .meta({
    id: 'Coverage',
    examples: [
      {
        object: 'coverage',
        signals: [
          {
            code: 'tool_failed',
            title: 'A tool failed',
            lane: 'integrations',
            calls: 812,
            computable: 790,
            notComputable: [{ reason: 'The call has no tool results.', calls: 22 }],
          },
        ],
        tests: [],
      },
    ],
  });
export type Coverage = z.infer<typeof coverage>;
