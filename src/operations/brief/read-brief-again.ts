import { z } from 'zod';
import { agentBrief } from '../../contract/brief.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { orderBrief, presentBrief } from './brief.ts';

export const readBriefAgain = defineOperation({
  id: 'readBriefAgain',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/brief/read',
  scope: 'person',
  tag: 'Agents',
  summary: "Read an agent's configuration again",
  description: 'What is read replaces the brief, also what a person has edited.',
  body: z.strictObject({}).optional(),
  response: agentBrief,
  async run({ em, agent }) {
    if (agent.provider === 'file') {
      throw new Failure('invalid_parameter', 'A file agent has no platform to read from.', { param: 'agentId' });
    }
    await orderBrief(em, agent);
    return presentBrief(em, agent.id, agent.setupStatus);
  },
});
