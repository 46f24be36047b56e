import { z } from 'zod';
import { agentBrief } from '../../contract/brief.ts';
import { forgetBrief } from '../../db/agents/briefs.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { briefOf, orderBrief, presentBrief } from './brief.ts';

export const readBriefAgain = defineOperation({
  id: 'readBriefAgain',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/brief/read',
  scope: 'person',
  tag: 'Agents',
  summary: "Read an agent's brief again",
  description:
    "From the agent's configuration, and from its calls where it sends them. What is read replaces the brief, also what a person has edited.",
  body: z.strictObject({}).optional(),
  response: agentBrief,
  async run(context) {
    const { em, agent } = context;
    if (sendsCalls(agent.provider)) await forgetBrief(em, agent.id);
    else await orderBrief(em, agent);
    return presentBrief(agent, await briefOf(context));
  },
});
