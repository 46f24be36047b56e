import { z } from 'zod';
import {
  ATTEMPT_RESULTS,
  CELL_CHANGES,
  CELL_RESULTS,
  DECIDERS,
  LANES,
  RUN_KINDS,
  RUN_STATUSES,
  RUN_TRIGGERS,
  SEVERITIES,
  TEST_EXPECTATIONS,
  TEST_SOURCES,
} from '../domain/vocabulary.ts';
import { count, uuid } from './common.ts';

export const usdCost = z
  .strictObject({ platformUsd: z.number().min(0), serviceUsd: z.number().min(0) })
  .meta({ id: 'RunCost', description: 'Estimates in US dollars.' });

export const epoch = z
  .strictObject({
    simulatorModel: z.string().describe('`script` where callers were only scripted.'),
    judgeModel: z.string().describe('`none` where no judge was configured.'),
    judgePromptHash: z.string().describe('`sha256:<hex>` of what the judge is told, or `none`.'),
    scorerVersion: z.string(),
  })
  .meta({ id: 'Epoch', description: 'What scored a result. Results of different epochs are not compared.' });

const answer = z.strictObject({
  met: z.boolean().nullable(),
  turn: z.int().nullable(),
  quote: z.string().nullable(),
  because: z.string(),
});

export const criterionResult = z
  .strictObject({
    criterionId: z.string(),
    text: z.string(),
    met: z.boolean().nullable().describe('Null: undecided.'),
    decidedBy: z.strictObject({
      kind: z.enum(DECIDERS),
      model: z.string().nullable(),
      answers: z.array(answer).describe('What the judge or the check answered, in order; empty where undecided.'),
    }),
    evidenceTurn: z.int().nullable(),
    quote: z.string().nullable().describe('An exact part of the evidence turn.'),
  })
  .meta({ id: 'CriterionResult' });

export const problem = z
  .strictObject({ code: z.string(), title: z.string(), severity: z.enum(SEVERITIES), detail: z.string() })
  .meta({ id: 'RunProblem', description: "A finding of the service's own checks on the simulated call." });

const cell = z
  .strictObject({
    testId: uuid,
    testRevision: z.int(),
    source: z.enum(TEST_SOURCES),
    persona: z.string().describe("`@source` for the test's own caller."),
    tier: z.literal('text'),
    lane: z.enum(LANES).nullable(),
    expect: z.enum(TEST_EXPECTATIONS),
    guard: z.boolean(),
    gates: z.boolean(),
    gateReason: z.string().nullable(),
    result: z.enum(CELL_RESULTS),
    attempts: z.array(z.strictObject({ runId: uuid, attempt: z.int(), result: z.enum(ATTEMPT_RESULTS) })),
    k: count.describe('Attempts that passed.'),
    n: count.describe('Attempts that ended.'),
    change: z
      .enum(CELL_CHANGES)
      .nullable()
      .describe(
        'Against the last result of the same revision of the test by the same caller, whichever run it was in, or with `compareTo` against that run; null where there is nothing to compare.',
      ),
    reason: z.string().nullable(),
    criteria: z.array(criterionResult).describe('Of the attempt that the result stands on.'),
    noFixture: z.array(z.string()),
    platformGrader: z.strictObject({ status: z.string().nullable(), explanation: z.string().nullable() }),
    findings: z.array(problem),
    cost: usdCost.describe('Of all attempts of the cell.'),
  })
  .meta({ id: 'RunResultCell' });

/** The result of a run as one document, version 1 of its shape. `batchId` is the run, `attempts[].runId` an attempt. */
export const runResult = z
  .strictObject({
    schemaVersion: z.literal(1),
    batchId: uuid,
    agentId: uuid,
    status: z.enum(RUN_STATUSES),
    message: z.string().nullable(),
    kind: z.enum(RUN_KINDS),
    trigger: z.enum(RUN_TRIGGERS).nullable(),
    targetVersion: z.strictObject({ platform: z.string(), version: z.int(), configHash: z.string().nullable() }),
    comparedTo: z
      .strictObject({ batchId: uuid, version: z.int() })
      .nullable()
      .describe('The newest run that a cell is compared with, or the one that `compareTo` names.'),
    epoch,
    summary: z.strictObject({
      cells: count,
      gating: count,
      passed: count,
      failed: count,
      flaky: count,
      error: count,
      drift: count,
      notRun: count,
      newlyBroken: count,
      fixed: count,
    }),
    cost: usdCost,
    shadow: z.strictObject({ agentId: uuid, version: z.int() }).optional().describe('Where a shadow copy was played.'),
    cells: z.array(cell),
  })
  .meta({ id: 'RunResult' });
export type RunResultResource = z.infer<typeof runResult>;
