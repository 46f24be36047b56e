import type { AgentResource } from '../src/contract/agent.ts';
import type { GoalPlanResource, GoalProgressResource, GoalResource } from '../src/contract/goal.ts';
import { chooseAgent } from './choose-agent.ts';
import { query, readList } from './lists.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';

interface Chosen {
  agent?: string;
}

export async function showGoals(session: Session, options: Chosen & { status?: string }): Promise<void> {
  const { print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const goals = await listGoals(session, agent, options.status);
  if (json) return print.json(goals);
  if (goals.length === 0) return print.line('No goals.');
  print.table(
    ['', 'Goal', 'Status', 'Plan', 'Tests', 'Id'],
    goals.map((goal, at) => [
      String(at + 1),
      goal.title,
      goal.status,
      planWord(goal),
      String(goal.plan.testCaseIds.length),
      goal.id,
    ]),
  );
}

/** One goal with its plan and what came of it so far. */
export async function showGoal(session: Session, wanted: string, options: Chosen): Promise<void> {
  const { print, json, client } = session;
  const { path, goal } = await findGoal(session, wanted, options);
  const plan = await client.read<GoalPlanResource>(`/v1${path}/plan`);
  const progress = await client.read<GoalProgressResource>(`/v1${path}/progress`);
  if (json) return print.json({ goal, plan, progress });
  print.line(`${goal.title} (${goal.status}; plan ${planWord(goal)})`);
  print.line(goal.request);
  const results = new Map(progress.tests.map(({ testId, before, after }) => [testId, (after ?? before).result]));
  print.table(
    ['', 'Test', 'Newest result', 'Why'],
    plan.tests.map((test, at) => [String(at + 1), test.title, results.get(test.testId) ?? '', test.reason ?? '']),
  );
  const { platformUsd, serviceUsd } = plan.price.cost;
  print.line(
    `Playing it once: ${inNumber(plan.price.testCalls, 'test call')}, ${(platformUsd + serviceUsd).toFixed(2)} USD at most.`,
  );
  for (const { kind, label, testCaseIds } of plan.coverage) {
    if (testCaseIds.length === 0) print.line(`Not tested by the plan: ${kind} ${label}.`);
  }
  if (plan.unmatched.length > 0) print.line(`No test or part of the agent matches: ${plan.unmatched.join(', ')}.`);
  print.line(progress.message);
  if (progress.closing) print.line(`Closed: ${progress.closing.cameOf ?? progress.closing.figures}`);
}

export async function newGoal(
  session: Session,
  title: string,
  options: Chosen & { request?: string; test?: string[] },
): Promise<void> {
  const agent = await chooseAgent(session, options.agent);
  const body = { title, request: options.request ?? title, ...(options.test ? { testCaseIds: options.test } : {}) };
  printStanding(session, await session.client.person<GoalResource>('POST', `/app/agents/${agent.id}/goals`, body));
}

/** @param options.test the tests of the plan; left out: those that it proposes. */
export async function approveGoal(
  session: Session,
  wanted: string,
  options: Chosen & { test?: string[] },
): Promise<void> {
  const { path, goal } = await findGoal(session, wanted, options);
  const body = { testCaseIds: options.test ?? goal.plan.testCaseIds };
  printStanding(session, await session.client.person<GoalResource>('POST', `/v1${path}/approve-plan`, body));
}

export async function closeGoal(
  session: Session,
  wanted: string,
  options: Chosen & { cameOf?: string },
): Promise<void> {
  const { path } = await findGoal(session, wanted, options);
  const body = options.cameOf === undefined ? {} : { cameOf: options.cameOf };
  printStanding(session, await session.client.person<GoalResource>('POST', `/app${path}/close`, body));
}

const listGoals = ({ client }: Session, agent: AgentResource, status?: string) =>
  readList<GoalResource>(client, `/v1/agents/${agent.id}/goals${query({ status })}`);

/** @param wanted its id, or its number in the list. */
async function findGoal(session: Session, wanted: string, options: Chosen) {
  const agent = await chooseAgent(session, options.agent);
  const goals = await listGoals(session, agent);
  const goal = goals.find(({ id }) => id === wanted.toLowerCase()) ?? goals[Number(wanted) - 1];
  if (!goal) throw new Problem(`There is no goal ${wanted} of ${agent.name}.`, EXIT.failed);
  return { goal, path: `/agents/${agent.id}/goals/${goal.id}` };
}

const inNumber = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const planWord = ({ plan }: GoalResource) => (plan.approved ? 'approved' : 'waits for approval');

function printStanding({ print, json }: Session, goal: GoalResource): void {
  if (json) return print.json(goal);
  const { length } = goal.plan.testCaseIds;
  print.line(
    `${goal.title} is ${goal.status}; its plan of ${inNumber(length, 'test')} ${goal.plan.approved ? 'is approved' : planWord(goal)}.`,
  );
}
