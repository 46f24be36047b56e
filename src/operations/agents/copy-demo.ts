import { z } from 'zod';
import { type AgentResource, agent as agentResource } from '../../contract/agent.ts';
import { uuid } from '../../contract/common.ts';
import { findReachableAgent } from '../../db/agents/read-agents.ts';
import { listSharedDemoAgents } from '../../db/connections/connections.ts';
import { lockWorkspace } from '../../db/system/members.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { reachOf } from '../principal.ts';
import { copyDemoAgent } from '../setup/demo-agent.ts';
import { presentAgent } from './present.ts';

export const copyDemo = defineOperation({
  id: 'copyDemo',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/copy-demo',
  scope: 'person',
  tag: 'Agents',
  summary: 'Copy a shared demo agent into the workspace',
  description:
    'The copy is an ordinary agent that can be changed, and is not counted among the agents of the plan. Where the workspace has a copy already, that one is answered.',
  body: z.strictObject({ agentId: uuid }),
  response: agentResource,
  async run(context, { body }): Promise<AgentResource> {
    const { em, services } = context;
    const person = context.person();
    const wanted = await findReachableAgent(em, reachOf(person), body.agentId);
    if (!wanted) {
      throw new Failure('agent_not_found', 'There is no agent with this id that you can reach.', { param: 'agentId' });
    }
    const shared = (await listSharedDemoAgents(em)).find(({ id }) => id === wanted.id);
    if (!shared) throw new Failure('invalid_parameter', 'This is not a shared demo agent.', { param: 'agentId' });
    await lockWorkspace(em, person.workspaceId);
    const { agentId } = await copyDemoAgent(em, services, shared, person.workspaceId);
    const copy = await findReachableAgent(em, reachOf(person), agentId);
    if (!copy) throw new Error('A copy that was just made is not there.');
    return presentAgent(copy);
  },
});
