import { goal, goalClosing } from '../../contract/goal.ts';
import { publishEvent } from '../../db/events/events.ts';
import { closeGoal as storeClosing } from '../../db/goals/goals.ts';
import { progressWords } from '../../domain/goals/progress.ts';
import { defineOperation } from '../operation.ts';
import { goalParent } from './parent.ts';
import { presentNow } from './present.ts';
import { readProgress } from './progress.ts';
import { requireOpen } from './require-open.ts';

export const closeGoal = defineOperation({
  id: 'closeGoal',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/goals/{goalId}/close',
  scope: 'person',
  tag: 'Goals',
  summary: 'Close a goal',
  description:
    'With what came of it, in words if you like; the figures of the moment are kept beside them. No run for it starts any more; those under way go on.',
  parents: [goalParent],
  body: goalClosing,
  refuses: ['goal_closed'],
  response: goal,
  async run(context, { body = {} }) {
    const { em, agent } = context;
    const open = await requireOpen(context);
    const { progress } = await readProgress(context, open);
    const closedBy = context.person().personId;
    await storeClosing(em, open.id, {
      outcome: body.cameOf ?? null,
      closingFigures: progressWords(progress),
      closedBy,
    });
    await publishEvent(em, { agentId: agent.id, kind: 'goal.changed', ref: open.id });
    return presentNow(context, open.id);
  },
});
