import { type GoalProgressResource, goalProgress } from '../../contract/goal.ts';
import { comparisonsBetween } from '../../db/comparisons/read-comparisons.ts';
import type { GoalView } from '../../db/goals/goals.ts';
import { findVersion } from '../../db/versions/read-versions.ts';
import { progressWords } from '../../domain/goals/progress.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { sharesOfVersion } from '../versions/list-versions.ts';
import { goalParent } from './parent.ts';
import { readProgress } from './progress.ts';

export const getGoalProgress = defineOperation({
  id: 'getGoalProgress',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/goals/{goalId}/progress',
  scope: 'read',
  tag: 'Goals',
  summary: 'Read what came of a goal so far',
  description:
    'Its runs, each planned test in the first and in the newest of them, and the calls of the version that was live when it was opened beside those of the one that is live now. Results that another epoch scored or another revision asked for are not compared.',
  whenToUse: 'Call it to see whether a goal is reached, and before it is closed.',
  parents: [goalParent],
  response: goalProgress,
  async run(context): Promise<GoalProgressResource> {
    const goal = context.parent(goalParent);
    const { runs, progress } = await readProgress(context, goal);
    return {
      object: 'goal_progress',
      goalId: goal.id,
      message: progressWords(progress),
      ...progress,
      runs: runs.map(({ id: runId, status, version, finishedAt }) => ({ runId, status, version, finishedAt })),
      versions: await versionsOf(context, goal),
      closing: closingOf(goal),
    };
  },
});

async function versionsOf(context: Context, { fromVersion }: GoalView): Promise<GoalProgressResource['versions']> {
  const { em, agent } = context;
  const side = async (wanted: number) => {
    const row = await findVersion(em, scopeOf(agent), wanted);
    return row && { version: row.version, calls: row.calls, ...sharesOfVersion(row) };
  };
  const moved = agent.currentVersion !== fromVersion;
  return {
    before: await side(fromVersion),
    after: moved ? await side(agent.currentVersion) : null,
    comparisonIds: await comparisonsBetween(em, scopeOf(agent), [fromVersion, agent.currentVersion]),
  };
}

function closingOf({ outcome, closingFigures, closedAt, closedBy }: GoalView): GoalProgressResource['closing'] {
  if (closedAt === null || closedBy === null) return null;
  return { cameOf: outcome, figures: closingFigures ?? '', closedAt, closedBy };
}
