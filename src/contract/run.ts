import { z } from 'zod';
import { RUN_KINDS, RUN_STATUSES, RUN_TRIGGERS } from '../domain/vocabulary.ts';
import { count, share, timestamp, uuid } from './common.ts';
import { usdCost } from './run-result.ts';
import { plainText } from './text.ts';

export const newRun = z.strictObject({
  testIds: z.array(uuid).min(1).max(200).nullish().describe('1 to 200 tests, each once, played in this order.'),
  testSetId: uuid.nullish(),
  all: z.boolean().nullish().describe('True: every test of the agent, oldest first.'),
  personas: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(20)
    .nullish()
    .describe("Ids of personas; each plays every test. Null: each test's own caller."),
  version: z.int().min(0).max(2_147_483_647).nullish().describe('The version to play; the current one if left out.'),
  repeats: z.literal(3).nullish().describe('3: each cell is played three times and reports k of 3.'),
  draftId: uuid.nullish().describe('A draft to play in the place of a version.'),
  shadow: z
    .boolean()
    .nullish()
    .describe(
      'True: a copy of the version is made at the platform, played and deleted. Only on Retell; elsewhere a version is played as it is.',
    ),
  goalId: uuid
    .nullish()
    .describe('The goal that it is for: a person has approved its plan, and the plan holds the tests.'),
});
export type NewRunRequest = z.infer<typeof newRun>;

export const newCalibration = z.strictObject({
  testIds: z.array(uuid).min(1).max(200).nullish(),
  testSetId: uuid.nullish(),
  all: z.boolean().nullish(),
  version: z.int().min(0).max(2_147_483_647).nullish(),
});

const runSummary = z
  .strictObject({
    cells: count,
    scored: count,
    counts: z.strictObject({
      passed: count,
      failed: count,
      flaky: count,
      error: count,
      drift: count,
      notRun: count,
    }),
    passRate: share.nullable().describe('Passed of scored (passed, failed and flaky); null where none was scored.'),
  })
  .meta({ id: 'RunSummary' });

export const run = z
  .strictObject({
    object: z.literal('run'),
    id: uuid,
    status: z.enum(RUN_STATUSES),
    message: z
      .string()
      .nullable()
      .describe('Where it stands, in words: what the budget covered, what it waits for, or why it refused or failed.'),
    kind: z.enum(RUN_KINDS),
    trigger: z.enum(RUN_TRIGGERS).nullable(),
    version: z.int(),
    testSetId: uuid.nullable(),
    testIds: z.array(uuid),
    personas: z.array(z.string()).nullable(),
    repeats: z.int().nullable(),
    shadowAgentId: uuid.nullable(),
    progress: z.strictObject({ completed: count, total: count }),
    cells: z.strictObject({ requested: count, runnable: count }),
    summary: runSummary.nullable(),
    cost: usdCost,
    approvedAt: timestamp.nullable(),
    createdBy: z
      .string()
      .nullable()
      .describe('A user id, or `key:<api key id>` for a key; null for runs that nobody started.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Run' });
export type RunResource = z.infer<typeof run>;

export const approval = z
  .strictObject({
    mode: z
      .enum(['all', 'covered'])
      .optional()
      .describe('`all` (if left out): every cell, over the budget; `covered`: only what the budget covers.'),
  })
  .optional();

export const decisionReason = z
  .strictObject({ reason: plainText(1, 300).optional().describe('Shown in the message of the run.') })
  .optional();
