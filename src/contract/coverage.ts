import { z } from 'zod';
import { LANES } from '../domain/vocabulary.ts';
import { count, rateOf } from './common.ts';
import { precision } from './signal-label.ts';

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
        computableShare: rateOf.describe('Share of all analysed calls on which it could be computed.'),
        notComputable: z.array(
          z.strictObject({
            reason: z.string(),
            calls: count,
            remedy: z.string().nullable().describe('What would change that; null where nothing would.'),
          }),
        ),
        precision: precision
          .nullable()
          .describe('What people who labelled its signals found; null until somebody did.'),
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
            computableShare: { value: 0.973, n: 812 },
            notComputable: [
              {
                reason: 'The record of this call holds no tool calls, and the tools of the agent are not known.',
                calls: 22,
                remedy: 'Import records that keep tool calls with their results.',
              },
            ],
            precision: { value: 0.9, lower: 0.596, upper: 0.982, right: 9, wrong: 1 },
          },
        ],
        tests: [],
      },
    ],
  });
export type Coverage = z.infer<typeof coverage>;
