import { z } from 'zod';
import { agentBrief } from '../../contract/brief.ts';
import { rejectBrief as writeRejection } from '../../db/agents/briefs.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { presentBrief } from './brief.ts';

export const rejectBrief = defineOperation({
  id: 'rejectBrief',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/brief/reject',
  scope: 'person',
  tag: 'Agents',
  summary: "Reject an agent's brief",
  description: 'Nothing is imported. It can be edited or read again, and approved later.',
  body: z.strictObject({}).optional(),
  response: agentBrief,
  async run({ em, agent }) {
    if (!(await writeRejection(em, agent.id))) {
      throw new Failure('brief_decided', 'The brief of this agent was approved already; its calls are being imported.');
    }
    return presentBrief(em, agent.id, 'rejected');
  },
});
