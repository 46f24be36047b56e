import { agentBrief } from '../../contract/brief.ts';
import { defineOperation } from '../operation.ts';
import { presentBrief } from './brief.ts';

export const getBrief = defineOperation({
  id: 'getBrief',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/brief',
  scope: 'person',
  tag: 'Agents',
  summary: "Read an agent's brief",
  description:
    'What the agent is for, as read from its own configuration: purpose, steps, tools, what callers are expected to ask for, what counts as done, and the rules that it was given.',
  response: agentBrief,
  run: ({ em, agent }) => presentBrief(em, agent.id, agent.setupStatus),
});
