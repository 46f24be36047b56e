import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentResource } from '../../src/contract/agent.ts';
import type { AgentBriefResource } from '../../src/contract/brief.ts';
import type { ConnectionResource } from '../../src/contract/connection.ts';
import type { StartedImport } from '../../src/contract/import.ts';
import { PROGRAM } from '../../src/layout.ts';
import { ask, askSecret } from '../ask.ts';
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
  const made = await client.person<ConnectionResource>('POST', '/app/connections', {
    platform,
    apiKey,
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
  });
  const shown = await chooseAgent(await untilTried(session, made), options.agent);
  const agent = await client.person<AgentResource>('POST', '/app/agents', {
    connectionId: made.id,
    providerAgentId: shown.providerAgentId,
    name: shown.name,
  });
  const brief = await untilRead(session, agent);
  if (!json) showBrief(session, agent, brief);
  if (options.yes !== true && !(await isApproved())) {
    print.note(`Nothing is imported yet. Approve it in the web app, or connect again with --yes.`);
    return EXIT.failed;
  }
  const started = await client.person<StartedImport>('POST', `/app/agents/${agent.id}/brief/approve`, {});
  const result = await waitForImports(session, agent.id, [{ importId: started.id, places: [] }]);
  if (json) print.json(result);
  else {
    print.line(`${agent.name}: ${result.stored} calls stored, ${result.waiting} waiting, ${result.failed} failed.`);
    print.line(`See what was found: ${PROGRAM} issues --agent ${agent.id}`);
  }
  return result.failed > 0 ? EXIT.failed : EXIT.done;
}

/** @throws Problem with what the platform said of the key. */
async function untilTried(session: Session, { id }: ConnectionResource): Promise<ConnectionResource> {
  for (let look = 0; look < LOOKS; look += 1) {
    const connection = await session.client.person<ConnectionResource>('GET', `/app/connections/${id}`);
    if (connection.status === 'ok') return connection;
    if (connection.status === 'refused') {
      throw new Problem(connection.message ?? 'The platform refused the key.', EXIT.failed);
    }
    if (connection.message !== null) session.print.progress('Tries the key', connection.message);
    await sleep(LOOK_EVERY_MS);
  }
  throw new Problem('The platform has not answered so far. The connection is kept, and is tried on.', EXIT.notFinished);
}

/** The one that is named, the only one, or the one that is chosen. @throws Problem that names what there is. */
async function chooseAgent({ agents }: ConnectionResource, wanted: string | undefined): Promise<ShownAgent> {
  const free = agents.filter(({ agentId }) => agentId === null);
  const listed = free.map(({ name, providerAgentId }, at) => `  ${at + 1}  ${name}  ${providerAgentId}`).join('\n');
  if (free.length === 0) throw new Problem('The key shows no agent that is not connected already.', EXIT.failed);
  if (wanted !== undefined) {
    const found = free.filter(({ name, providerAgentId }) => name === wanted || providerAgentId === wanted);
    if (found.length === 1 && found[0]) return found[0];
    const what = found.length === 0 ? `No agent is called ${wanted}` : `Several agents are called ${wanted}`;
    throw new Problem(`${what}:\n${listed}`, EXIT.failed);
  }
  const [only, second] = free;
  if (only && !second) return only;
  process.stderr.write(`${listed}\n`);
  const answer = await ask('Which agent (its number)? ', 'Say which agent: --agent <name or id>.');
  const chosen = free[Number(answer) - 1];
  if (!chosen) throw new Problem(`There is no agent ${answer}.`);
  return chosen;
}

async function untilRead(session: Session, { id }: AgentResource): Promise<AgentBriefResource> {
  for (let look = 0; look < LOOKS; look += 1) {
    const read = await session.client.person<AgentBriefResource>('GET', `/app/agents/${id}/brief`);
    if (read.brief !== null) return read;
    if (read.message !== null) session.print.progress('Reads the agent', read.message);
    await sleep(LOOK_EVERY_MS);
  }
  throw new Problem("The agent's configuration could not be read so far; it is tried on.", EXIT.notFinished);
}

const SHOWN_AT_MOST = 8;

function showBrief({ print }: Session, { name }: AgentResource, { brief }: AgentBriefResource): void {
  print.endProgress();
  print.line(`What was read of ${name}:`);
  const parts: [string, readonly string[]][] = [
    ['Purpose', brief?.purpose ? [brief.purpose] : []],
    ['Steps', brief?.steps.map(({ label }) => label) ?? []],
    ['Tools', brief?.tools.map((tool) => tool.name) ?? []],
    ['Callers ask for', brief?.intents ?? []],
    ['Done means', brief?.done ?? []],
  ];
  for (const [what, items] of parts) {
    if (items.length === 0) continue;
    const more = items.length > SHOWN_AT_MOST ? `, and ${items.length - SHOWN_AT_MOST} more` : '';
    print.line(`  ${what}: ${items.slice(0, SHOWN_AT_MOST).join(', ')}${more}`);
  }
}

const isApproved = async () =>
  /^y(es)?$/i.test(await ask('Import its newest 500 calls of the last 30 days (y/N)? ', 'Approve with --yes.'));
