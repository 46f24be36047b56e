import { z } from 'zod';
import { agentBrief } from '../../contract/brief.ts';
import { rejectBrief as writeRejection } from '../../db/agents/briefs.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { briefOf, presentBrief } from './brief.ts';

export const rejectBrief = defineOperation({
  id: 'rejectBrief',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/brief/reject',
  scope: 'person',
  tag: 'Agents',
  summary: "Reject an agent's brief",
  description:
    'Nothing is imported; calls that an agent sends are read all the same. It can be edited or read again, and approved later.',
  body: z.strictObject({}).optional(),
  response: agentBrief,
  async run(context) {
    const { em, agent } = context;
    if (!(await writeRejection(em, agent.id))) {
      throw new Failure('brief_decided', 'The brief of this agent was approved already.');
    }
    return presentBrief({ setupStatus: 'rejected' }, await briefOf(context));
  },
});
