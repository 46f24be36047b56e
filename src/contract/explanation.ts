import { z } from 'zod';
import { DIMENSIONS } from '../domain/issues/differences.ts';
import { ISSUE_STATUSES } from '../domain/vocabulary.ts';
import { count, share, timestamp, uuid } from './common.ts';
import { resolution, spike } from './issue-lifecycle.ts';

const base = z
  .strictObject({ calls: count, of: count, rate: share.nullable(), meaning: z.string() })
  .meta({ id: 'ExplainedShare', description: 'A count, what it is counted over, and what that means in words.' });

const evidence = z
  .strictObject({
    statement: z.string(),
    calls: count,
    of: count,
    causeCode: z.string().nullable(),
    version: z.int().nullable(),
  })
  .meta({ id: 'Evidence' });

const lift = z
  .strictObject({ value: z.number().min(0), lower: z.number().min(0), upper: z.number().min(0) })
  .meta({ id: 'Lift', description: 'How many times as often, with its 95 % interval.' });

const difference = z
  .strictObject({
    dimension: z.enum(DIMENSIONS),
    value: z.string(),
    label: z.string(),
    with: z.strictObject({ calls: count, of: count }),
    without: z.strictObject({ calls: count, of: count }),
    lift,
    p: share,
    adjustedP: share,
  })
  .meta({
    id: 'Difference',
    description: 'Of calls with the value, and of the other calls, those that show the issue.',
  });

const untilSure = z
  .strictObject({
    settled: z.boolean(),
    moreCalls: count.nullable().describe('Null where more calls of the same kind would never settle it.'),
    sentence: z.string(),
  })
  .meta({ id: 'UntilSure' });

/** Why an issue stands where it stands: every number with its denominator, and what speaks for and against it. */
export const issueExplanation = z
  .strictObject({
    object: z.literal('issue_explanation'),
    issueId: uuid,
    key: z.string(),
    rank: z.strictObject({
      priorityScore: z.number().min(0),
      reason: z.string().describe('Why it stands where it stands, in a line.'),
      formula: z.string(),
      parts: z.record(z.string(), z.json()).describe('The factors of the score, as the grouping stored them.'),
    }),
    numbers: z.strictObject({
      ofAllCalls: base,
      ofComputableCalls: base,
      endedBadly: base,
    }),
    cause: z.strictObject({
      established: z.boolean(),
      summary: z.string(),
      rule: z.string(),
    }),
    evidenceFor: z.array(evidence),
    evidenceAgainst: z.array(evidence),
    differences: z.strictObject({
      compared: z.strictObject({ affected: count, others: count }),
      population: z.string(),
      tests: count.describe('Values that were tested together.'),
      rule: z.string(),
      found: z.array(difference).describe('Only what holds with all tests counted; the surest first.'),
    }),
    untilSure: z.strictObject({ confirmation: untilSure, cause: untilSure }),
    proof: z.array(z.string()).describe('What would prove or establish the cause.'),
    resolution: resolution.describe(
      'When it counts as resolved, what it waits for, and how sure it is that it is gone.',
    ),
    spike: spike.nullable().describe('The last day on which it was far more common than in the 28 days before.'),
    labels: z.strictObject({
      right: count,
      wrong: count,
      note: z.string().describe('What labels do, and what they do not.'),
    }),
    history: z.array(
      z.strictObject({
        from: z.enum(ISSUE_STATUSES).nullable(),
        to: z.enum(ISSUE_STATUSES),
        trigger: z.string(),
        personId: uuid.nullable(),
        reason: z.string().nullable(),
        at: timestamp,
      }),
    ),
  })
  .meta({
    id: 'IssueExplanation',
    examples: [
      {
        object: 'issue_explanation',
        issueId: '019d2b01-7a00-7e10-a1c2-0d4e5f607182',
        key: 'iss_8f2c61d0',
        rank: {
          priorityScore: 41.3,
          reason: '31 of 812 calls, 71 % of which ended badly; …',
          formula: '100 × harm × reach × …',
          parts: { harm: 0.55 },
        },
        numbers: {
          ofAllCalls: { calls: 31, of: 812, rate: 0.0382, meaning: 'Affected calls of all analysed calls.' },
          ofComputableCalls: { calls: 31, of: 640, rate: 0.0484, meaning: 'Affected calls of those that reached it.' },
          endedBadly: { calls: 22, of: 31, rate: 0.71, meaning: 'Affected calls that ended badly.' },
        },
        cause: {
          established: true,
          summary: 'The service behind the tool was down',
          rule: 'Its evidence must hold on at least two thirds of the calls and at least three.',
        },
        evidenceFor: [
          {
            statement: 'The result carries a 5xx status.',
            calls: 29,
            of: 31,
            causeCode: 'service_unavailable',
            version: null,
          },
        ],
        evidenceAgainst: [],
        differences: {
          compared: { affected: 31, others: 609 },
          population: 'Of up to 10000 analysed calls before the last one that shows it and as many after, …',
          tests: 24,
          rule: "Fisher's exact test in both directions, Benjamini-Hochberg 0.05 over all values.",
          found: [
            {
              dimension: 'version',
              value: '4',
              label: 'Version 4',
              with: { calls: 28, of: 300 },
              without: { calls: 3, of: 340 },
              lift: { value: 10.58, lower: 3.25, upper: 34.4 },
              p: 0.0000001,
              adjustedP: 0.0000024,
            },
          ],
        },
        untilSure: {
          confirmation: { settled: true, moreCalls: 0, sentence: 'The pattern is confirmed.' },
          cause: { settled: true, moreCalls: 0, sentence: 'The cause is established.' },
        },
        proof: ['Change it on one version: the cause is proved when calls of that version no longer show it.'],
        resolution: {
          state: 'waits_for_time',
          dueAt: '2026-03-09T08:12:44.000Z',
          text: 'It counts as resolved if no call that starts before then shows it (7 days of grace).',
          lastSeenAt: '2026-03-02T08:12:44.000Z',
          callsWithout: 40,
          pastRate: 0.0484,
          rateUpper: 0.0722,
          chanceOfSilence: 0.1374,
          moreCallsUntilSure: 21,
          certainty: '40 calls without it: its rate is now at most 7.2 % (95 %); …',
        },
        spike: null,
        labels: { right: 4, wrong: 0, note: 'Labels change no count and no rank.' },
        history: [],
      },
    ],
  });
export type IssueExplanation = z.infer<typeof issueExplanation>;
