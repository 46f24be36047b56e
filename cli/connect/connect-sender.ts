import type { AgentResource } from '../../src/contract/agent.ts';
import type { ConnectionResource } from '../../src/contract/connection.ts';
import type { NewIngestToken } from '../../src/contract/ingest-token.ts';
import { senderLines } from '../../src/domain/connect/sender-lines.ts';
import { PROGRAM } from '../../src/layout.ts';
import type { Client } from '../client.ts';
import { orNull } from '../find-anywhere.ts';
import { readAll, readList } from '../lists.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';

/**
 * Makes connection, agent and token for calls that are sent, and prints the token once with the lines to paste. What an
 * earlier try has made is used: only the token is new, as its value can't be shown again.
 */
export async function connectSender(session: Session, platform: string, options: { agent?: string }): Promise<void> {
  const { client, print, json } = session;
  const name = options.agent ?? platform;
  const agents = await readList<AgentResource>(client, '/v1/agents');
  const known = agents.find(({ provider, providerAgentId }) => provider === platform && providerAgentId === name);
  const made = known ? await tokenFor(session, known) : await makeAgent(session, platform, name);
  if (made === null) {
    throw new Problem(
      `The agent ${name} takes its calls from files: ${PROGRAM} import <file> --agent ${name}. For one that sends them choose another name.`,
      EXIT.failed,
    );
  }
  const { agent, token } = made;
  if (json) return print.json(token);
  const what = known
    ? `The agent ${agent.name} (${agent.id}) exists. Its new token is shown only once; earlier tokens stay valid.`
    : `Created the agent ${agent.name} (${agent.id}). Its token is shown only once.`;
  print.note(`${what} Set:`);
  for (const line of senderLines(platform, token)) print.paste(line);
  print.note(`Calls appear here when they are over: ${PROGRAM} calls --agent ${agent.id}`);
}

interface Made {
  agent: AgentResource;
  token: NewIngestToken;
}

async function makeAgent({ client }: Session, platform: string, name: string): Promise<Made> {
  // It holds no key, so one serves all agents, also one that an earlier try has left behind.
  const [known] = await connectionsOf(client, platform);
  const connection = known ?? (await client.person<ConnectionResource>('POST', '/app/connections', { platform }));
  const chosen = { connectionId: connection.id, providerAgentId: name, name };
  const agent = await client.person<AgentResource>('POST', '/app/agents', chosen);
  return { agent, token: await newToken(client, connection.id, agent.id) };
}

/** Null where the agent has no connection: its calls are uploaded. */
async function tokenFor({ client }: Session, agent: AgentResource): Promise<Made | null> {
  for (const { id } of await connectionsOf(client, agent.provider)) {
    // Only the connection of the agent makes a token for it.
    const token = await orNull(newToken(client, id, agent.id));
    if (token !== null) return { agent, token };
  }
  return null;
}

const connectionsOf = async (client: Client, platform: string): Promise<ConnectionResource[]> =>
  (await readAll<ConnectionResource>((path) => client.person('GET', path), '/app/connections')).filter(
    (connection) => connection.platform === platform,
  );

const newToken = (client: Client, connectionId: string, agentId: string) =>
  client.person<NewIngestToken>('POST', `/app/connections/${connectionId}/tokens`, { agentId });
