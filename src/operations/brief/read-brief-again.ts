import { z } from 'zod';
import { agentBrief } from '../../contract/brief.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
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
    if (sendsCalls(agent.provider)) {
      throw new Failure('invalid_parameter', 'This agent sends its calls: there is no platform to read from.', {
        param: 'agentId',
      });
    }
    await orderBrief(em, agent);
    return presentBrief(em, agent.id, agent.setupStatus);
  },
});
