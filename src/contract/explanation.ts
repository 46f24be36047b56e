import { z } from 'zod';
import { ISSUE_STATUSES } from '../domain/vocabulary.ts';
import { count, share, timestamp, uuid } from './common.ts';

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

/** Why an issue stands where it stands: every number with its denominator, and what speaks for and against it. */
export const issueExplanation = z
  .strictObject({
    object: z.literal('issue_explanation'),
    issueId: uuid,
    key: z.string(),
    rank: z.strictObject({
      priorityScore: z.number().min(0),
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
        rank: { priorityScore: 41.3, formula: '100 × severity × …', parts: { severityWeight: 0.7 } },
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
        history: [],
      },
    ],
  });
export type IssueExplanation = z.infer<typeof issueExplanation>;
