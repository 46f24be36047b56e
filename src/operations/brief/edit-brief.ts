import { agentBrief, briefChange } from '../../contract/brief.ts';
import { findBrief, editBrief as writeBrief } from '../../db/agents/briefs.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { briefOf, presentBrief } from './brief.ts';

export const editBrief = defineOperation({
  id: 'editBrief',
  surface: 'app',
  method: 'PATCH',
  path: '/app/agents/{agentId}/brief',
  scope: 'person',
  tag: 'Agents',
  summary: "Edit an agent's brief",
  description: 'Only what is named changes; a list is replaced as a whole. A reading on its way no longer replaces it.',
  body: briefChange,
  response: agentBrief,
  prepare: briefOf,
  async run({ em, agent }, { body }, { brief }) {
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name at least one part of the brief.');
    await writeBrief(em, agent.id, body, brief);
    return presentBrief(agent, await findBrief(em, agent.id));
  },
});
