import { z } from 'zod';
import { toolRules } from './agent-settings.ts';
import { count, uuid } from './common.ts';

const PREVIEW_CALLS_MOST = 500;

const thresholdSettings = z.record(z.string(), z.record(z.string(), z.number()));

export const previewInput = z.strictObject({
  thresholds: thresholdSettings,
  toolRules: toolRules
    .optional()
    .describe('What answers of tools would mean, the whole list; left out, those in force hold.'),
  calls: z.int().min(1).max(PREVIEW_CALLS_MOST).default(200).describe('How many of the newest calls are read.'),
});

const labelled = z.strictObject({ right: count, wrong: count });
const change = z.strictObject({
  signals: count,
  calls: count,
  labels: labelled.describe('What people said about these very signals.'),
  examples: z
    .array(z.strictObject({ callId: uuid, turnIndex: count, quote: z.string(), detail: z.string() }))
    .describe('At most five, each of another call.'),
});

export const thresholdPreview = z
  .strictObject({
    object: z.literal('threshold_preview'),
    thresholds: thresholdSettings,
    asked: count.describe('Calls that were to be read.'),
    calls: count.describe('Calls that were read: the base of every number.'),
    message: z.string(),
    signals: z.array(
      z.strictObject({
        code: z.string(),
        title: z.string(),
        before: z.strictObject({ signals: count, calls: count }),
        after: z.strictObject({ signals: count, calls: count }),
        added: change,
        withdrawn: change,
        kept: z.strictObject({ signals: count, labels: labelled }),
      }),
    ),
  })
  .meta({
    id: 'ThresholdPreview',
    examples: [
      {
        object: 'threshold_preview',
        thresholds: { tool_slow: { slowMs: 3000 } },
        asked: 200,
        calls: 200,
        message: 'Read 200 of 200 calls under both settings. Nothing was changed.',
        signals: [
          {
            code: 'tool_slow',
            title: 'Slow tool',
            before: { signals: 12, calls: 11 },
            after: { signals: 30, calls: 26 },
            added: {
              signals: 18,
              calls: 16,
              labels: { right: 0, wrong: 0 },
              examples: [
                {
                  callId: '019d2a77-40a0-7d55-8c1e-5b8f2a9d3c01',
                  turnIndex: 7,
                  quote: '',
                  detail: 'find_slots took 3.4 s.',
                },
              ],
            },
            withdrawn: { signals: 0, calls: 0, labels: { right: 0, wrong: 0 }, examples: [] },
            kept: { signals: 12, labels: { right: 3, wrong: 1 } },
          },
        ],
      },
    ],
  });
export type ThresholdPreview = z.infer<typeof thresholdPreview>;
