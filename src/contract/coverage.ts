import { z } from 'zod';
import { DROP_REASONS } from '../domain/reading/answer.ts';
import { COVERABLE_KINDS } from '../domain/tests/coverage.ts';
import { LANES } from '../domain/vocabulary.ts';
import { count, rateOf, uuid, warningCounts } from './common.ts';
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
        model: z
          .strictObject({
            decides: z.boolean(),
            reason: z.string().nullable().describe('Why it only assists; null while it decides.'),
            precision: precision.nullable().describe('Of what the model found, by the newest 50 labels at most.'),
            dropped: z
              .array(z.strictObject({ reason: z.enum(DROP_REASONS), findings: count }))
              .describe('Findings of the model that were not taken, by reason: code could not prove them.'),
          })
          .nullable()
          .describe('Whether a model may decide this code; null where the agent lets it decide nothing.'),
      }),
    ),
    warnings: warningCounts.describe(
      'What was noted as the newest 1,000 analysed calls were read, such as times without a zone: at most 20, most frequent first.',
    ),
    tests: z
      .array(
        z.strictObject({
          kind: z.enum(COVERABLE_KINDS),
          id: z.string().describe('Slug of an intent, id of a node, name of a tool, id of an issue.'),
          label: z.string(),
          calls: count.nullable().describe('Calls that it concerns; null where they are not counted.'),
          testIds: z.array(uuid).describe('Tests that cover it, oldest first; empty: none does.'),
        }),
      )
      .describe(
        'Intents of callers, nodes and tools of the current version and open issues: of each kind those without a test first.',
      ),
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
            model: {
              decides: true,
              reason: null,
              precision: null,
              dropped: [{ reason: 'proof_does_not_hold', findings: 2 }],
            },
          },
        ],
        warnings: [{ warning: 'The call names no agent version; it counts as version 1.', calls: 12 }],
        tests: [
          { kind: 'intent', id: 'book_visit', label: 'Book a visit', calls: 212, testIds: [] },
          {
            kind: 'tool',
            id: 'book_appointment',
            label: 'book_appointment',
            calls: null,
            testIds: ['0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e6f'],
          },
        ],
      },
    ],
  });
export type Coverage = z.infer<typeof coverage>;
