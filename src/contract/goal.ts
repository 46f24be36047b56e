import { z } from 'zod';
import { COVERABLE_KINDS } from '../domain/tests/coverage.ts';
import { CELL_CHANGES, CELL_RESULTS, GOAL_ORIGINS, GOAL_STATUSES, RUN_STATUSES } from '../domain/vocabulary.ts';
import { count, eachOnce, rateOf, timestamp, uuid } from './common.ts';
import { usdCost } from './run-result.ts';
import { plainText, prose } from './text.ts';

const PLAN_AT_MOST = 200;
const REQUEST_AT_MOST = 8000;

const planIds = eachOnce(z.array(uuid).max(PLAN_AT_MOST)).describe('Tests of the agent, each once, in their order.');

export const goal = z
  .strictObject({
    object: z.literal('goal'),
    id: uuid,
    agentId: uuid,
    title: z.string(),
    request: z.string().describe("The person's own words."),
    origin: z.enum(GOAL_ORIGINS),
    status: z.enum(GOAL_STATUSES),
    conversationId: uuid.nullable().describe('The talk with the copilot that it came from.'),
    plan: z.strictObject({
      approved: z.boolean(),
      approvedAt: timestamp.nullable(),
      approvedBy: z.string().nullable(),
      testCaseIds: z.array(uuid).describe('In the order in which they are played; a proposal until it is approved.'),
    }),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Goal',
    description: 'What a person wants of an agent, with the tests that tell whether it is reached.',
    examples: [
      {
        object: 'goal',
        id: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e73',
        agentId: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e60',
        title: 'Bookings go through',
        request: 'Callers who take a time should end up with a booking in the diary.',
        origin: 'api',
        status: 'open',
        conversationId: null,
        plan: {
          approved: true,
          approvedAt: '2026-03-02T09:20:11.000Z',
          approvedBy: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e72',
          testCaseIds: ['0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e6f'],
        },
        createdBy: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e72',
        createdAt: '2026-03-02T09:15:04.120Z',
        updatedAt: '2026-03-02T09:20:11.000Z',
      },
    ],
  });
export type GoalResource = z.infer<typeof goal>;

const plannedTest = z.strictObject({
  testId: uuid,
  title: z.string(),
  reason: z.string().nullable().describe("Why the request asks for it; null where its words don't."),
});

export const goalPlan = z
  .strictObject({
    object: z.literal('goal_plan'),
    goalId: uuid,
    tests: z.array(plannedTest).describe('The plan, in its order.'),
    suggested: z.array(plannedTest).describe('Tests that the request asks for and the plan leaves out.'),
    price: z
      .strictObject({ testCalls: count, cost: usdCost })
      .describe('Of playing the plan once, at most: simulated test calls, and an estimate in US dollars.'),
    coverage: z
      .array(
        z.strictObject({
          kind: z.enum(COVERABLE_KINDS),
          id: z.string().describe('Slug of an intent, id of a node, name of a tool, id of an issue.'),
          label: z.string(),
          words: z.array(z.string()).describe('Words of the request that name it.'),
          calls: count.nullable().describe('Calls that it concerns; null where they are not counted.'),
          testCaseIds: z.array(uuid).describe('Tests of the plan that cover it; empty: none does.'),
        }),
      )
      .describe('What the request names of the agent, surest first.'),
    unmatched: z
      .array(z.string())
      .describe('Words of the request that no part of the agent and no test goes by: the plan says nothing of them.'),
  })
  .meta({
    id: 'GoalPlan',
    description: 'Why a plan holds its tests, what it would cost, and what it leaves untested.',
  });
export type GoalPlanResource = z.infer<typeof goalPlan>;

const cellSide = z.strictObject({ runId: uuid, version: z.int(), result: z.enum(CELL_RESULTS) });
const versionSide = z.strictObject({
  version: z.int(),
  calls: count,
  gotItDone: rateOf.describe('Resolved calls of the calls with contact.'),
  handedOff: rateOf,
});

export const goalProgress = z
  .strictObject({
    object: z.literal('goal_progress'),
    goalId: uuid,
    message: z.string().describe('Where it stands, in a sentence.'),
    planned: count,
    played: count.describe('Planned tests that came to a verdict.'),
    passed: count.describe('Of these, tests that passed in their newest verdict.'),
    runs: z
      .array(
        z.strictObject({
          runId: uuid,
          status: z.enum(RUN_STATUSES),
          version: z.int(),
          finishedAt: timestamp.nullable(),
        }),
      )
      .describe('Started for the goal, newest first; at most 100.'),
    tests: z.array(
      z.strictObject({
        testId: uuid,
        persona: z.string(),
        before: cellSide.describe('In the first run that came to a verdict.'),
        after: cellSide.nullable().describe('In the newest other run that came to a verdict.'),
        change: z
          .enum(CELL_CHANGES)
          .nullable()
          .describe('Null without a second verdict, and where the test or what scored it is not the same.'),
      }),
    ),
    versions: z
      .strictObject({ before: versionSide.nullable(), after: versionSide.nullable(), comparisonIds: z.array(uuid) })
      .describe('Production calls on the version that was live when the goal was opened, and on the one that is now.'),
    closing: z
      .strictObject({
        cameOf: z.string().nullable().describe('In the words of who closed it.'),
        figures: z.string().describe('What the figures were then.'),
        closedAt: timestamp,
        closedBy: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'GoalProgress', description: 'How the tests and the calls of a goal did before and since.' });
export type GoalProgressResource = z.infer<typeof goalProgress>;

export const planApproval = z.strictObject({ testCaseIds: planIds });

export const newGoal = z.strictObject({
  title: plainText(1, 200),
  request: prose(1, REQUEST_AT_MOST).describe('What is wanted, in the own words of whoever wants it.'),
  testCaseIds: planIds.optional().describe('The plan proposed; left out: tests that fit the request.'),
});

export const goalChange = z.strictObject({
  title: plainText(1, 200).optional(),
  testCaseIds: planIds.optional().describe('Another plan: it is a proposal until it is approved.'),
});

export const goalClosing = z
  .strictObject({ cameOf: prose(1, 2000).optional().describe('What came of it, in words.') })
  .optional();
