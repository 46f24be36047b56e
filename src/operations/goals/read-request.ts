import { openIssues, readTestReach } from '../../db/tests/test-coverage.ts';
import { loadTestsForRun, type TestForRun } from '../../db/tests/tests.ts';
import { currentConfiguration } from '../../db/versions/versions.ts';
import { type Matter, type PlannableTest, type RequestReading, readRequest } from '../../domain/goals/choose-plan.ts';
import { coverByTests } from '../../domain/tests/coverage.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { coverableItems } from '../tests/coverable-items.ts';

export interface GoalReading extends RequestReading {
  /** Every test that could be in the plan, oldest first. */
  all: (PlannableTest & TestForRun)[];
}

/** What a goal's words mean of the agent as it is now, and the tests for it. */
export async function readGoal(
  context: Context,
  { title, request }: { title: string; request: string },
): Promise<GoalReading> {
  const { tests } = await loadTestsForRun(context.em, context.agent.id, { all: true });
  const all = tests.map((test) => ({ ...test, names: [test.title, test.spec.caller.goal] }));
  return { ...readRequest(`${title}\n${request}`, await mattersOf(context), all), all };
}

async function mattersOf(context: Context): Promise<Matter[]> {
  const { em, agent } = context;
  const configuration = await currentConfiguration(em, agent.id);
  const items = await coverableItems(context, configuration);
  const codes = new Map((await openIssues(em, scopeOf(agent), agent.boardSource)).map(({ id, code }) => [id, code]));
  const names = new Map(
    items.map(({ kind, id, label, aliases }) => [`${kind} ${id}`, [label, id, codes.get(id) ?? label, ...aliases]]),
  );
  return coverByTests(items, await readTestReach(em, scopeOf(agent)), configuration).map((item) => ({
    ...item,
    names: names.get(`${item.kind} ${item.id}`) ?? [item.label],
  }));
}
