import { generatedTests } from '../../contract/test.ts';
import { publishEvent } from '../../db/events/events.ts';
import { proposePlan } from '../../db/goals/goals.ts';
import { defineOperation } from '../operation.ts';
import { keepTests, type MadeTests, makeTests } from '../tests/generate-tests.ts';
import { goalParent } from './parent.ts';
import { readGoal } from './read-request.ts';
import { requireOpen } from './require-open.ts';

const TESTS_AT_MOST = 5;
const PLAN_AT_MOST = 200;

export const draftGoalTests = defineOperation({
  id: 'draftGoalTests',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/goals/{goalId}/draft-tests',
  scope: 'person',
  tag: 'Goals',
  summary: 'Draft tests for what a plan leaves untested',
  description:
    'From calls of the open issues and intents that the request names and no test covers, at most five at a time. They are put into the plan, which is a proposal until somebody approves it.',
  ai: true,
  parents: [goalParent],
  refuses: ['goal_closed'],
  response: generatedTests,
  async prepare(context): Promise<MadeTests> {
    const goal = await requireOpen(context);
    const { matters } = await readGoal(context, goal);
    const untested = matters.map(({ matter }) => matter).filter(({ testIds }) => testIds.length === 0);
    const idsOf = (kind: 'issue' | 'intent') => untested.filter((one) => one.kind === kind).map(({ id }) => id);
    const named = { issueIds: idsOf('issue'), intents: idsOf('intent') };
    if (named.issueIds.length + named.intents.length === 0) return { made: [], skipped: [] };
    return makeTests(context, named, TESTS_AT_MOST);
  },
  async run(context, _input, made) {
    const { em, agent } = context;
    const goal = await requireOpen(context);
    const drafted = await keepTests(context, made);
    if (drafted.tests.length === 0) return drafted;
    const plan = [...goal.testIds, ...drafted.tests.map(({ id }) => id)];
    await proposePlan(em, goal.id, plan.slice(0, PLAN_AT_MOST));
    await publishEvent(em, { agentId: agent.id, kind: 'goal.changed', ref: goal.id });
    return drafted;
  },
});
