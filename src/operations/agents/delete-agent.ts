import { erasure } from '../../contract/erasure.ts';
import { beginErasure } from '../../services/erasures/erase-owner.ts';
import { presentErasure } from '../erasures/present.ts';
import { defineOperation } from '../operation.ts';

export const deleteAgent = defineOperation({
  id: 'deleteAgent',
  surface: 'app',
  method: 'DELETE',
  path: '/app/agents/{agentId}',
  scope: 'person',
  role: 'admin',
  inPerson: true,
  tag: 'Erasure',
  summary: 'Delete an agent with all that is known of it',
  description:
    'It is out of reach at once, its work is stopped, and every row of it is removed: calls, issues, tests, runs, drafts, watches, conversations, webhooks and keys of its own. The audit log and what models cost stay. It can not be undone. Read the erasure under `/app/erasures` for its progress and its report.',
  response: erasure,
  async run(context) {
    const { workspaceId, id: agentId } = context.agent;
    const requestedBy = context.person().personId;
    return presentErasure(await beginErasure(context.em, { workspaceId, agentId, requestedBy }));
  },
});
