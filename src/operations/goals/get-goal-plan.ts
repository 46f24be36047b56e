import { type GoalPlanResource, goalPlan } from '../../contract/goal.ts';
import { plannedTests } from '../../domain/goals/choose-plan.ts';
import { usdOfNano } from '../../domain/limits/model-cost.ts';
import { OWN_CALLER } from '../../domain/runs/attempt.ts';
import { type Context, defineOperation } from '../operation.ts';
import { priceRun } from '../runs/price-run.ts';
import { goalParent } from './parent.ts';
import { type GoalReading, readGoal } from './read-request.ts';

export const getGoalPlan = defineOperation({
  id: 'getGoalPlan',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/goals/{goalId}/plan',
  scope: 'read',
  tag: 'Goals',
  summary: 'Read why a plan holds its tests, and what it costs',
  description:
    'Each test with the words of the request that ask for it, tests that the request asks for and the plan leaves out, what playing the plan once may cost, and which parts of the agent that the request names no test of the plan covers.',
  whenToUse: 'Call it before a person is asked to approve a plan.',
  parents: [goalParent],
  response: goalPlan,
  async run(context): Promise<GoalPlanResource> {
    const { id: goalId, testIds, ...words } = context.parent(goalParent);
    const reading = await readGoal(context, words);
    const inPlan = new Set(testIds);
    return {
      object: 'goal_plan',
      goalId,
      tests: plannedTests(testIds, reading.all, reading),
      suggested: reading.tests.filter(({ testId }) => !inPlan.has(testId)),
      price: await priceOf(context, inPlan, reading),
      coverage: reading.matters.map(({ matter: { kind, id, label, calls, ...matter }, words: named }) => ({
        kind,
        id,
        label,
        words: named,
        calls,
        testCaseIds: matter.testIds.filter((testId) => inPlan.has(testId)),
      })),
      unmatched: reading.unmatched,
    };
  },
});

async function priceOf(
  { em, agent, services }: Context,
  inPlan: ReadonlySet<string>,
  { all }: GoalReading,
): Promise<GoalPlanResource['price']> {
  const cells = all.filter(({ id }) => inPlan.has(id)).map(({ spec }) => ({ spec, persona: OWN_CALLER }));
  const { platformNanoUsd, serviceNanoUsd } = await priceRun({ em, agent }, { cells, repeats: null }, services.models);
  return {
    testCalls: cells.length,
    cost: { platformUsd: usdOfNano(platformNanoUsd), serviceUsd: usdOfNano(serviceNanoUsd) },
  };
}
