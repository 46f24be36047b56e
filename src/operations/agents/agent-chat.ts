import { type AgentChatResource, agentChat, newAgentChat } from '../../contract/agent-chat.ts';
import { type AgentChat, findAgentChat, setAgentChat as writeChat } from '../../db/agents/agent-chats.ts';
import { chatKeyPlace } from '../../db/secrets/sealed-places.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { checkBaseUrl } from '../connections/connection.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';

const PATH = '/app/agents/{agentId}/chat';

export const getAgentChat = defineOperation({
  id: 'getAgentChat',
  surface: 'app',
  method: 'GET',
  path: PATH,
  scope: 'person',
  tag: 'Agents',
  summary: 'Read the chat address of an agent that sends its calls',
  description: 'Where tests are played against it.',
  response: agentChat,
  run: async ({ em, agent }) => present(agent.id, await findAgentChat(em, agent.id)),
});

export const setAgentChat = defineOperation({
  id: 'setAgentChat',
  surface: 'app',
  method: 'PUT',
  path: PATH,
  scope: 'person',
  role: 'admin',
  tag: 'Agents',
  summary: 'Say where an agent that sends its calls answers chats',
  description:
    'Tests are then played against it by the protocol of chat completions. The key is stored encrypted and sent to this address alone; without one in the body there is none. The agent there must make no call of a tool while `user` begins with `earshot-test/`, but hand each back: tests answer them.',
  body: newAgentChat,
  response: agentChat,
  async run({ em, agent, services }, { body }) {
    const { url, apiKey, model = null } = body;
    if (url === null) {
      await writeChat(em, agent.id, null);
      return present(agent.id, null);
    }
    if (!sendsCalls(agent.provider)) {
      const message = `Tests of this agent are played at ${agent.provider}: a chat address is for agents that send their calls.`;
      throw new Failure('invalid_parameter', message, { param: 'agentId' });
    }
    if (body.handsToolsBack !== true) {
      const message = 'Confirm that the agent hands its tools back: tests must touch nothing real.';
      throw new Failure('invalid_parameter', message, { param: 'handsToolsBack' });
    }
    checkBaseUrl(url, 'url');
    const sealedKey =
      apiKey === undefined ? null : services.vault.seal(apiKey, chatKeyPlace(agent.workspaceId, agent.id));
    await writeChat(em, agent.id, { url, model, sealedKey });
    return present(agent.id, { url, model, sealedKey });
  },
});

const present = (agentId: string, chat: AgentChat | null): AgentChatResource => ({
  object: 'agent_chat',
  agentId,
  url: chat?.url ?? null,
  model: chat?.model ?? null,
  hasKey: chat !== null && chat.sealedKey !== null,
});
