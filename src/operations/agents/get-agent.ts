import { agent } from '../../contract/agent.ts';
import { defineOperation } from '../operation.ts';
import { presentAgent } from './present.ts';

export const getAgent = defineOperation({
  id: 'getAgent',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}',
  scope: 'read',
  tag: 'Agents',
  summary: 'Read an agent',
  description: 'One agent with its counts.',
  whenToUse:
    'Call it for the figures of one agent: how many calls, open issues and versions it has, and its grace period.',
  response: agent,
  async run(context) {
    return presentAgent(context.agent);
  },
});
