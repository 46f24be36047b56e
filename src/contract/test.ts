import { z } from 'zod';
import { CELL_RESULTS, LANES, TEST_EXPECTATIONS, TEST_SOURCES } from '../domain/vocabulary.ts';
import { timestamp, uuid } from './common.ts';
import { exampleSpec, testSpec, testSpecInput } from './test-spec.ts';
import { plainText } from './text.ts';

export const test = z
  .strictObject({
    object: z.literal('test'),
    id: uuid,
    title: z.string(),
    source: z.enum(TEST_SOURCES).describe('Made from a production call, written, or generated from what was found.'),
    lane: z.enum(LANES).nullable(),
    expect: z.enum(TEST_EXPECTATIONS).describe('`fail`: it passes when a required criterion is not met.'),
    guard: z.boolean().describe('True: it guards what works, so that a failure is a step back.'),
    gates: z.boolean().describe('Whether a failure fails the run: only a test that a calibration found stable does.'),
    gateReason: z.string().nullable(),
    revision: z.int().min(1),
    spec: testSpec,
    lastResult: z
      .strictObject({
        runId: uuid,
        result: z.enum(CELL_RESULTS).exclude(['not_run']).describe('The worst of its callers.'),
        revision: z.int().min(1).describe('The revision that was played.'),
        version: z.int().describe('The agent version that it was played on.'),
        at: timestamp,
      })
      .nullable()
      .describe('Of the newest run that played it; null where none did.'),
    sourceCallId: uuid.nullable().describe('The production call that it was made from.'),
    generatedFrom: z
      .string()
      .nullable()
      .describe('`issue:<id>`, `intent:<slug>`, `brief:<line>` or `pack:<pack>/<test>` of a generated test.'),
    createdBy: z.string().describe('A user id, `key:<api_key_id>`, or `earshot` for tests that came with the demo.'),
    archivedAt: timestamp.nullable().describe('Since when it is left out of lists and of runs of all tests.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Test',
    description: 'A simulated call and what the agent must do on it.',
    examples: [
      {
        object: 'test',
        id: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e6f',
        title: 'Looks up times before it offers one',
        source: 'written',
        lane: 'integrations',
        expect: 'pass',
        guard: false,
        gates: false,
        gateReason: 'Not calibrated yet.',
        revision: 1,
        spec: exampleSpec,
        lastResult: null,
        sourceCallId: null,
        generatedFrom: null,
        createdBy: 'key:0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e70',
        archivedAt: null,
        createdAt: '2026-03-02T09:15:04.120Z',
        updatedAt: '2026-03-02T09:15:04.120Z',
      },
    ],
  });
export type TestResource = z.infer<typeof test>;

/** The fields that both ways share: from a spec, or from a production call. */
export const newTest = z
  .strictObject({
    title: plainText(1, 200).optional().describe('Needed with a spec; made from the call where left out.'),
    spec: testSpecInput.optional(),
    sourceCallId: uuid.optional().describe('A production call to make the test from, instead of a spec.'),
    callId: uuid.optional().describe('Another name of `sourceCallId`.'),
    lane: z.enum(LANES).nullable().optional(),
    expect: z.enum(TEST_EXPECTATIONS).optional().describe('`pass` where left out.'),
    guard: z.boolean().optional(),
  })
  .superRefine((body, context) => {
    const wrong = (param: string, message: string) =>
      context.addIssue({ code: 'custom', path: [param], message, input: body });
    const named = (['sourceCallId', 'callId'] as const).filter((name) => body[name] !== undefined);
    const [callName, second] = named;
    if (callName === undefined && body.spec === undefined)
      wrong('spec', 'is needed, or a sourceCallId to make it from');
    else if (second !== undefined) wrong(second, 'can not come with sourceCallId');
    else if (callName !== undefined && body.spec !== undefined) wrong(callName, 'can not come with a spec');
    else if (body.spec !== undefined && body.title === undefined) wrong('title', 'is needed with a spec');
  });

export const testSpecReplacement = z.strictObject({
  revision: z.int().min(1).describe('The revision that this one replaces: the `revision` of the test as it was read.'),
  spec: testSpecInput,
});

export const testChange = z.strictObject({
  title: plainText(1, 200).optional(),
  lane: z.enum(LANES).nullable().optional(),
  expect: z.enum(TEST_EXPECTATIONS).optional(),
  guard: z.boolean().optional(),
  archived: z
    .boolean()
    .optional()
    .describe('True leaves it out of lists and of runs of all tests; false brings it back.'),
});

export const specToValidate = z.strictObject({
  spec: z.json().describe('A spec as `createTest` takes it, sound or not.'),
});

export const validation = z
  .strictObject({
    object: z.literal('validation'),
    valid: z.boolean().describe('Whether a test of this spec could be stored and would mean what it says.'),
    problems: z.array(
      z.strictObject({
        param: z.string().describe('The field, such as `spec.criteria[0].text`.'),
        message: z.string(),
      }),
    ),
  })
  .meta({
    id: 'Validation',
    examples: [
      {
        object: 'validation',
        valid: false,
        problems: [{ param: 'spec.fixtures[0].tool', message: 'Version 4 has no tool find_time. It has find_times.' }],
      },
    ],
  });
export type Validation = z.infer<typeof validation>;

export const testRevision = z
  .strictObject({
    object: z.literal('test_revision'),
    testId: uuid,
    revision: z.int().min(1),
    spec: testSpec,
    createdBy: z.string(),
    createdAt: timestamp,
  })
  .meta({
    id: 'TestRevision',
    examples: [
      {
        object: 'test_revision',
        testId: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e6f',
        revision: 1,
        spec: exampleSpec,
        createdBy: 'key:0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e70',
        createdAt: '2026-03-02T09:15:04.120Z',
      },
    ],
  });

export const generateTestsInput = z
  .strictObject({
    issueIds: z.array(uuid).min(1).max(50).optional(),
    intents: z.array(plainText(1, 200)).min(1).max(50).optional().describe('Slugs.'),
    briefLines: z
      .array(z.int().min(1).max(1_000_000))
      .min(1)
      .max(50)
      .optional()
      .describe('Lines of the brief’s rules.'),
    limit: z.int().min(1).max(20).optional().describe('How many tests at most; 5 if left out.'),
  })
  .optional();
export type GenerateTestsInput = NonNullable<z.infer<typeof generateTestsInput>>;

export const generatedTests = z
  .strictObject({
    object: z.literal('generated_tests'),
    tests: z.array(test),
    skipped: z
      .array(z.strictObject({ from: z.string(), reason: z.string() }))
      .describe('What was named and made no test, and why.'),
    wordedBy: z.enum(['rules', 'model']).describe('`model` where one has worded the goal of at least one caller.'),
    sources: z
      .array(z.strictObject({ testId: uuid, callId: uuid, turn: z.int(), quote: z.string() }))
      .describe('For each goal that a model worded: the words of the caller that show it.'),
  })
  .meta({
    id: 'GeneratedTests',
    examples: [
      {
        object: 'generated_tests',
        tests: [],
        skipped: [{ from: 'intent:book_visit', reason: 'A test was generated from it already.' }],
        wordedBy: 'rules',
        sources: [],
      },
    ],
  });
export type GeneratedTests = z.infer<typeof generatedTests>;
