import { z } from 'zod';
import { CONCLUSIONS } from '../domain/comparisons/conclusion.ts';
import { MOVE_DIRECTIONS, VERDICTS } from '../domain/comparisons/verdict.ts';
import { CHANGE_KINDS } from '../domain/versions/version-change.ts';
import { count, location, timestamp, uuid } from './common.ts';

const valueOf = z
  .strictObject({ value: z.number().nullable(), n: count })
  .meta({ id: 'ValueOfCalls', description: 'A figure and the number of calls behind it; null when n is 0.' });

const verdict = z
  .enum(VERDICTS)
  .describe('`not_enough_calls` under 30 calls on a side; `unclear` where the interval holds both a change and none.');
const direction = z.enum(MOVE_DIRECTIONS).describe('`none` unless the verdict is `changed`.');

const change = z
  .strictObject({
    kind: z.enum(CHANGE_KINDS),
    location,
    detail: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })
  .meta({ id: 'VersionChange' });

const metric = z
  .strictObject({
    metric: z.string(),
    label: z.string(),
    unit: z.enum(['share', 'ms']),
    before: valueOf,
    after: valueOf,
    delta: z.number().nullable().describe('After minus before; null where a side has no calls.'),
    better: z.enum(['higher', 'lower', 'neither']),
    verdict,
    direction,
    minimum: z.string().describe('The smallest difference that counts as a change, in words.'),
    notRead: count.describe('Calls of both versions that would count and could not be read.'),
  })
  .meta({ id: 'ComparisonMetric' });

const issueMove = z
  .strictObject({
    issueId: uuid,
    title: z.string(),
    place: z.string(),
    before: valueOf,
    after: valueOf,
    callsBefore: count.describe('Calls that show the issue.'),
    callsAfter: count,
    delta: z.number().nullable(),
    verdict,
    direction,
    atChangedPlace: z.boolean().describe('True where the configuration changed at the place of the issue.'),
  })
  .meta({ id: 'IssueMove' });

export const comparison = z
  .strictObject({
    object: z.literal('comparison'),
    id: uuid,
    fromVersion: z.int(),
    toVersion: z.int(),
    configCaptured: z.strictObject({ from: z.boolean(), to: z.boolean() }),
    changes: z.array(change).describe('Empty where one of the configurations was not captured.'),
    result: z.strictObject({
      conclusion: z.enum(CONCLUSIONS),
      conclusionLabel: z.string(),
      callsBefore: count,
      callsAfter: count,
      metrics: z.array(metric),
      issueMoves: z.array(issueMove),
      narrative: z.string(),
      rule: z.string().describe('What the verdicts stand on.'),
      isRandomized: z.boolean().describe('True only where the platform split the traffic at random.'),
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Comparison',
    examples: [
      {
        object: 'comparison',
        id: '01934f6e-7a2b-7c3d-8e4f-5a6b7c8d9e0f',
        fromVersion: 3,
        toVersion: 4,
        configCaptured: { from: true, to: true },
        changes: [
          {
            kind: 'prompt_changed',
            location: { kind: 'prompt', id: 'prompt', label: 'the prompt' },
            detail: 'Prompt, line 12 was changed',
            before: 'Ask for the date of birth.',
            after: 'Ask for the full date of birth.',
          },
        ],
        result: {
          conclusion: 'insufficient_evidence',
          conclusionLabel: 'Not enough calls',
          callsBefore: 212,
          callsAfter: 14,
          metrics: [
            {
              metric: 'got_it_done',
              label: 'Got it done',
              unit: 'share',
              before: { value: 0.62, n: 201 },
              after: { value: 0.71, n: 14 },
              delta: 0.09,
              better: 'higher',
              verdict: 'not_enough_calls',
              direction: 'none',
              minimum: '5 points',
              notRead: 0,
            },
          ],
          issueMoves: [],
          narrative: 'Version 4 took 14 calls, version 3 212 calls. Not enough calls: version 4 needs 16 more.',
          rule: 'The first verdict comes at 30 calls on the smaller side.',
          isRandomized: false,
        },
        createdAt: '2026-02-20T07:00:00.000Z',
        updatedAt: '2026-02-21T07:00:00.000Z',
      },
    ],
  });
export type ComparisonResource = z.infer<typeof comparison>;
