import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentResource } from '../../src/contract/agent.ts';
import type { AgentBriefResource } from '../../src/contract/brief.ts';
import type { ConnectionResource } from '../../src/contract/connection.ts';
import type { StartedImport } from '../../src/contract/import.ts';
import { counted } from '../../src/domain/counted.ts';
import { DECIDE_WITHOUT_BRIEF } from '../../src/domain/vocabulary.ts';
import { PROGRAM } from '../../src/layout.ts';
import { ask, askSecret } from '../ask.ts';
import type { Client } from '../client.ts';
import { readAll } from '../lists.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';
import { waitForImports } from '../wait-for-imports.ts';

export interface ConnectOptions {
  agent?: string;
  baseUrl?: string;
  yes?: boolean;
}

type ShownAgent = ConnectionResource['agents'][number];

const LOOK_EVERY_MS = 500;
const LOOKS = 240;

/**
 * Connects an agent whose calls are fetched: tries the key, takes the agent, shows what was read of it, and imports once
 * that is approved. @returns the exit code: 1 where a person did not approve, or some call could not be analysed.
 */
export async function connectPlatform(session: Session, platform: string, options: ConnectOptions): Promise<number> {
  const { client, print, json } = session;
  const apiKey = await askSecret(`Key of ${platform}: `, 'EARSHOT_PLATFORM_KEY');
  const connection = await untilTried(session, await openConnection(session, platform, apiKey, options.baseUrl));
  const agent =
    (await unfinished(session, connection, options.agent)) ?? (await takeAgent(session, connection, options));
  const brief = await untilRead(session, agent);
  if (!json) showBrief(session, agent, brief);
  if (options.yes !== true && !(await isApproved())) {
    print.note(
      `Nothing is imported yet. Approve it in the web app, or connect again with --yes, which continues here.`,
    );
    return EXIT.failed;
  }
  const started = await client.person<StartedImport>('POST', `/app/agents/${agent.id}/brief/approve`, {});
  const result = await waitForImports(session, agent.id, [{ importId: started.id, places: [] }]);
  if (json) print.json(result);
  else {
    print.line(
      `${agent.name}: ${counted(result.stored, 'call')} stored, ${result.waiting} waiting, ${result.failed} failed.`,
    );
    print.line(`See what was found: ${PROGRAM} issues --agent ${agent.id}`);
  }
  return result.failed > 0 ? EXIT.failed : EXIT.done;
}

/** One that an earlier try made, and by which no agent is read so far, gets the key; else a new one. */
async function openConnection(
  { client }: Session,
  platform: string,
  apiKey: string,
  baseUrl: string | undefined,
): Promise<ConnectionResource> {
  const all = await readAll<ConnectionResource>((path) => client.person('GET', path), '/app/connections');
  const known = await Promise.all(
    all
      .filter((one) => one.platform === platform && (one.baseUrl ?? undefined) === baseUrl)
      .map(async (one) => ({ one, isOpen: (await unfinishedOf(client, one)).length === connectedOf(one).length })),
  );
  const left = known.find(({ isOpen }) => isOpen)?.one;
  if (left) return client.person<ConnectionResource>('PATCH', `/app/connections/${left.id}`, { apiKey });
  const address = baseUrl === undefined ? {} : { baseUrl };
  return client.person<ConnectionResource>('POST', '/app/connections', { platform, apiKey, ...address });
}

const connectedOf = ({ agents }: ConnectionResource) => agents.flatMap(({ agentId }) => agentId ?? []);

/** Agents that were taken, and whose brief nobody approved. */
async function unfinishedOf(client: Client, connection: ConnectionResource): Promise<AgentResource[]> {
  const agents = await Promise.all(connectedOf(connection).map((id) => client.read<AgentResource>(`/v1/agents/${id}`)));
  return agents.filter(({ onboardingStep }) => onboardingStep === 'connect' || onboardingStep === 'brief');
}

/** The agent at which an earlier try was cut off: the one that is named, or the only one where the key shows no other. */
async function unfinished(
  { client, print }: Session,
  connection: ConnectionResource,
  wanted: string | undefined,
): Promise<AgentResource | null> {
  const open = await unfinishedOf(client, connection);
  const isFree = connection.agents.some(({ agentId }) => agentId === null);
  const [one, second] = open.filter(
    ({ name, providerAgentId }) => (wanted === undefined && !isFree) || name === wanted || providerAgentId === wanted,
  );
  if (!one || second) return null;
  print.note(`${one.name} is connected already: going on from there.`);
  return one;
}

async function takeAgent(
  { client }: Session,
  connection: ConnectionResource,
  options: ConnectOptions,
): Promise<AgentResource> {
  const { providerAgentId, name } = await chooseAgent(connection, options);
  return client.person<AgentResource>('POST', '/app/agents', { connectionId: connection.id, providerAgentId, name });
}

/** @throws Problem with what the platform said of the key. */
async function untilTried(session: Session, { id }: ConnectionResource): Promise<ConnectionResource> {
  for (let look = 0; look < LOOKS; look += 1) {
    const connection = await session.client.person<ConnectionResource>('GET', `/app/connections/${id}`);
    if (connection.status === 'ok') return connection;
    if (connection.status === 'refused') {
      throw new Problem(connection.message ?? 'The platform refused the key.', EXIT.failed);
    }
    if (connection.message !== null) session.print.progress('Checking the key', connection.message);
    await sleep(LOOK_EVERY_MS);
  }
  throw new Problem(
    'The platform has not answered yet. The connection is kept, and Earshot keeps trying.',
    EXIT.notFinished,
  );
}

/** The one that is named, the only one, or the one that is chosen. @throws Problem that names what there is. */
async function chooseAgent(
  { agents }: ConnectionResource,
  { agent: wanted, yes }: ConnectOptions,
): Promise<ShownAgent> {
  const free = agents.filter(({ agentId }) => agentId === null);
  const listed = free.map(({ name, providerAgentId }, at) => `  ${at + 1}  ${name}  ${providerAgentId}`).join('\n');
  if (free.length === 0) throw new Problem('Every agent that this key can see is already connected.', EXIT.failed);
  if (wanted !== undefined) {
    const found = free.filter(({ name, providerAgentId }) => name === wanted || providerAgentId === wanted);
    if (found.length === 1 && found[0]) return found[0];
    const what = found.length === 0 ? `No agent is called ${wanted}` : `Several agents are called ${wanted}`;
    throw new Problem(`${what}:\n${listed}`, EXIT.failed);
  }
  const [only, second] = free;
  if (only && !second) return only;
  const toSay = `Say which agent with --agent <name or id>:\n${listed}`;
  if (yes === true) throw new Problem(toSay);
  process.stderr.write(`${listed}\n`);
  const answer = await ask('Which agent (its number)? ', toSay);
  const chosen = free[Number(answer) - 1];
  if (!chosen) throw new Problem(`There is no agent ${answer}.`);
  return chosen;
}

/** The brief, or why a person has to decide without one. */
async function untilRead(session: Session, { id }: AgentResource): Promise<AgentBriefResource> {
  for (let look = 0; look < LOOKS; look += 1) {
    const read = await session.client.person<AgentBriefResource>('GET', `/app/agents/${id}/brief`);
    if (read.brief !== null) return read;
    if (read.message !== null) {
      if (read.message.endsWith(DECIDE_WITHOUT_BRIEF)) return read;
      session.print.progress('Reading the agent', read.message);
    }
    await sleep(LOOK_EVERY_MS);
  }
  throw new Problem("The agent's configuration could not be read yet; Earshot keeps trying.", EXIT.notFinished);
}

const SHOWN_AT_MOST = 8;

function showBrief({ print }: Session, { name }: AgentResource, { brief, message }: AgentBriefResource): void {
  print.endProgress();
  if (brief === null) return print.note(message ?? '');
  print.line(`Read from ${name}:`);
  const parts: [string, readonly string[]][] = [
    ['Purpose', brief.purpose ? [brief.purpose] : []],
    ['Steps', brief.steps.map(({ label }) => label)],
    ['Tools', brief.tools.map((tool) => tool.name)],
    ['Callers ask for', brief.intents],
    ['Done means', brief.done],
  ];
  for (const [what, items] of parts) {
    if (items.length === 0) continue;
    const more = items.length > SHOWN_AT_MOST ? `, and ${items.length - SHOWN_AT_MOST} more` : '';
    print.line(`  ${what}: ${items.slice(0, SHOWN_AT_MOST).join(', ')}${more}`);
  }
}

const isApproved = async () =>
  /^y(es)?$/i.test(await ask('Import its newest 500 calls of the last 30 days (y/N)? ', 'Approve with --yes.'));
