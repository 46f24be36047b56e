import { agentBrief } from '../../contract/brief.ts';
import { defineOperation } from '../operation.ts';
import { briefOf, presentBrief } from './brief.ts';

export const getBrief = defineOperation({
  id: 'getBrief',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/brief',
  scope: 'person',
  tag: 'Agents',
  summary: "Read an agent's brief",
  description:
    'What the agent is for, as read from its own configuration: purpose, steps, tools, what callers are expected to ask for, what counts as done, and the rules that it was given. Of an agent that sends its calls, tools, steps and requests are also read from them, anew each time until a person edits or approves it.',
  response: agentBrief,
  run: async (context) => presentBrief(context.agent, await briefOf(context)),
});
