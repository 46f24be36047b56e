import { z } from 'zod';
import { ATTEMPT_RESULTS } from '../domain/vocabulary.ts';
import { turn } from './call.ts';
import { timestamp, uuid } from './common.ts';
import { criterionResult, epoch, problem, usdCost } from './run-result.ts';

const grader = z.strictObject({ status: z.string().nullable(), explanation: z.string().nullable() });

const fields = {
  object: z.literal('attempt'),
  id: uuid,
  runId: uuid,
  testId: uuid,
  testRevision: z.int().nullable(),
  persona: z.string().describe("`@source` for the test's own caller."),
  attempt: z
    .int()
    .min(1)
    .describe(
      '1 first try; 2 rerun of a failure; 2 and 3 for repeats; further ones where the errors of a run were tried again.',
    ),
  version: z.int(),
  result: z.enum(ATTEMPT_RESULTS).nullable().describe('Null until it is scored.'),
  reason: z.string().nullable(),
  noFixture: z.array(z.string()).describe('Tools that answered with the fixed not-available error.'),
  providerGrader: grader.describe("The voice platform's own grader result."),
  models: z.strictObject({
    simulator: z.string().nullable(),
    judge: z.string().nullable(),
    judgePromptHash: z.string().nullable(),
    scorerVersion: z.string().nullable(),
  }),
  cost: usdCost,
  rescoredAt: timestamp.nullable(),
  startedAt: timestamp,
  finishedAt: timestamp.nullable(),
};

export const attemptSummary = z.strictObject(fields).meta({ id: 'AttemptSummary' });
export type AttemptSummaryResource = z.infer<typeof attemptSummary>;

const verdict = criterionResult
  .extend({ because: z.string().describe('Why, in a sentence; also why it is undecided.') })
  .meta({ id: 'AttemptVerdict' });

const score = z.strictObject({
  epoch,
  result: z.enum(ATTEMPT_RESULTS),
  reason: z.string().nullable(),
  verdicts: z.array(verdict),
  scoredAt: timestamp,
});

export const attempt = z
  .strictObject({
    ...fields,
    transcript: z.array(turn),
    verdicts: z.array(verdict).describe('Per criterion, with who decided it.'),
    problems: z.array(problem).describe("Found by the service's own checks."),
    callerDrift: z
      .strictObject({ drifted: z.boolean(), reasons: z.array(z.string()), notes: z.string().nullable() })
      .nullable()
      .describe('Null where there is nothing to compare the caller with.'),
    earlierScores: z.array(score).describe('Oldest first, each with its epoch.'),
    platformConversation: z
      .array(z.record(z.string(), z.unknown()))
      .describe("The platform's raw conversation with its tool calls, in the platform's own shape."),
  })
  .meta({ id: 'Attempt' });
export type AttemptResource = z.infer<typeof attempt>;
