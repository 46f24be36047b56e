import { waiting } from '../../contract/system.ts';
import { countWaiting } from '../../db/workspaces/count-waiting.ts';
import { defineOperation } from '../operation.ts';

export const getWaiting = defineOperation({
  id: 'getWaiting',
  surface: 'app',
  method: 'GET',
  path: '/app/waiting',
  scope: 'person',
  tag: 'System',
  summary: 'Count what waits for a person',
  description: 'Over all agents of the workspace; shared demo agents have nothing that waits.',
  response: waiting,
  async run(context) {
    const { workspaceId } = context.person();
    return { object: 'waiting' as const, count: await countWaiting(context.em, workspaceId) };
  },
});
