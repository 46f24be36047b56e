import type { NewRunRequest } from '../../contract/run.ts';
import { type RunModels, usdWords } from '../../domain/limits/run-cost.ts';
import { OWN_CALLER } from '../../domain/runs/attempt.ts';
import { Failure } from '../failure.ts';
import { requireApproved } from '../goals/require-approved.ts';
import type { Context } from '../operation.ts';
import { choosePersonas, chooseTests } from './choose-tests.ts';
import { priceRun } from './price-run.ts';

/**
 * What a proposed run would draw, in a sentence: only one for a goal whose plan a person has approved, and whose price the
 * agent's budget for tests covers whole. @throws Failure
 */
export async function proposeRun(
  { em, agent }: Pick<Context, 'em' | 'agent'>,
  asked: NewRunRequest,
  models: RunModels,
): Promise<string> {
  if (!asked.goalId) {
    const message = 'Only a run for a goal can be proposed, whose plan a person has approved: name its goalId.';
    throw new Failure('plan_not_approved', message, { param: 'goalId' });
  }
  const { tests } = await chooseTests(em, agent, asked);
  await requireApproved({ em, agent }, asked.goalId, tests);
  const callers = (await choosePersonas(em, agent.workspaceId, asked.personas)) ?? [OWN_CALLER];
  const cells = tests.flatMap(({ spec }) => callers.map((persona) => ({ spec, persona })));
  const price = await priceRun({ em, agent }, { cells, repeats: asked.repeats ?? null }, models);
  const { leftNanoUsd, platformNanoUsd, serviceNanoUsd } = price;
  if (leftNanoUsd !== null && leftNanoUsd < platformNanoUsd) {
    const message = `The run may cost ${usdWords(platformNanoUsd)} at the platform, and the agent's test budget has ${usdWords(leftNanoUsd)} left this month. Name fewer tests.`;
    throw new Failure('budget_exceeded', message);
  }
  const left = leftNanoUsd === null ? 'has no limit' : `has ${usdWords(leftNanoUsd)} left this month`;
  const calls = cells.length === 1 ? '1 test call' : `${cells.length} test calls`;
  return `It draws up to ${calls} of the plan and costs at most ${usdWords(platformNanoUsd)} at the platform, where the test budget ${left}, and about ${usdWords(serviceNanoUsd)} for models.`;
}
