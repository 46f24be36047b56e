import { agent } from '../../contract/agent.ts';
import { newAgent } from '../../contract/agent-settings.ts';
import { insertConnection } from '../../db/queries/connections.ts';
import { findReachableAgent } from '../../db/queries/read-agents.ts';
import { insertAgent } from '../../db/queries/write-agents.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { keepWithinAgents } from '../plan/keep-within-agents.ts';
import { reachOf } from '../principal.ts';
import { presentAgent } from './present.ts';

export const createAgent = defineOperation({
  id: 'createAgent',
  surface: 'app',
  method: 'POST',
  path: '/app/agents',
  scope: 'person',
  adminOnly: true,
  tag: 'Agents',
  summary: 'Connect an agent',
  description:
    'An agent of a platform, with the key to read it there; or one of platform file, whose calls are uploaded and which needs no key.',
  body: newAgent,
  response: agent,
  async run(context, { body }) {
    const person = context.person();
    const { platform, apiKey, baseUrl, providerAgentId, name } = body;
    const isFile = platform === 'file';
    if (!isFile && apiKey === undefined) {
      throw new Failure('invalid_parameter', `apiKey is needed to read calls from ${platform}.`, { param: 'apiKey' });
    }
    if (isFile && (apiKey !== undefined || baseUrl !== undefined)) {
      const param = apiKey === undefined ? 'baseUrl' : 'apiKey';
      throw new Failure('invalid_parameter', `A file agent has no platform to reach, so no ${param}.`, { param });
    }
    if (baseUrl !== undefined && hasUserInfo(baseUrl)) {
      throw new Failure('invalid_parameter', 'baseUrl must not carry a user name or a password.', { param: 'baseUrl' });
    }
    const connectionId = isFile
      ? null
      : await insertConnection(context.em, {
          workspaceId: person.workspaceId,
          platform,
          baseUrl: baseUrl ?? null,
          sealedKey: apiKey === undefined ? null : context.services.vault.seal(apiKey),
        });
    const agentId = await insertAgent(context.em, {
      workspaceId: person.workspaceId,
      connectionId,
      name: name ?? providerAgentId,
      provider: platform,
      providerAgentId,
      source: platform,
      setupStatus: isFile ? 'approved' : 'pending',
      onboardingStep: isFile ? 'done' : 'connect',
      readOnly: false,
    });
    if (agentId === null) {
      throw new Failure('agent_exists', 'This workspace has connected this agent already.', {
        param: 'providerAgentId',
      });
    }
    await keepWithinAgents(context.em, person.workspaceId);
    const made = await findReachableAgent(context.em, reachOf(person), agentId);
    if (!made) throw new Error('An agent that was just made is not there.');
    return presentAgent(made);
  },
});

function hasUserInfo(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}
