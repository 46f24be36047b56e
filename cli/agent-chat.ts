import type { AgentChatResource } from '../src/contract/agent-chat.ts';
import { PROGRAM } from '../src/layout.ts';
import { agentFlag, chooseAgent, requireAgent } from './choose-agent.ts';
import { Problem } from './problem.ts';
import type { Session } from './session.ts';

/** Where the key is read from, so that it shows up in no list of processes. */
const KEY = 'EARSHOT_CHAT_KEY';

const pathOf = (agentId: string) => `/app/agents/${agentId}/chat`;

export async function showAgentChat(session: Session, options: { agent?: string }): Promise<void> {
  const agent = await chooseAgent(session, options.agent);
  printChat(session, await session.client.person<AgentChatResource>('GET', pathOf(agent.id)));
}

export async function setAgentChat(
  session: Session,
  url: string,
  options: { agent?: string; model?: string; handsToolsBack?: boolean },
): Promise<void> {
  if (options.handsToolsBack !== true) {
    throw new Problem(
      'Tests must not touch anything real: the agent has to return its tool calls instead of running them while `user` begins with `earshot-test/`. If it does, add --hands-tools-back.',
    );
  }
  const agent = await requireAgent(session, options.agent);
  const { [KEY]: apiKey } = process.env;
  const { model } = options;
  const body = { url, handsToolsBack: true, ...(apiKey && { apiKey }), ...(model !== undefined && { model }) };
  printChat(session, await session.client.person<AgentChatResource>('PUT', pathOf(agent.id), body));
  session.print.note(`To play its tests: ${PROGRAM} run --all${agentFlag(agent, options.agent)}`);
}

export async function removeAgentChat(session: Session, options: { agent?: string }): Promise<void> {
  const agent = await requireAgent(session, options.agent);
  printChat(session, await session.client.person<AgentChatResource>('PUT', pathOf(agent.id), { url: null }));
}

function printChat({ print, json }: Session, chat: AgentChatResource): void {
  if (json) return print.json(chat);
  if (chat.url === null) {
    return print.line(
      `No chat address: tests can't be played against this agent. To set one: ${PROGRAM} chat set --help`,
    );
  }
  const model = chat.model === null ? '' : ` as ${chat.model}`;
  print.line(`Tests are played at ${chat.url}${model}, ${chat.hasKey ? 'with a key' : 'without a key'}.`);
}
