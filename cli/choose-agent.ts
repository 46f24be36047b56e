import type { AgentResource } from '../src/contract/agent.ts';
import { PROGRAM } from '../src/layout.ts';
import { readList } from './lists.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';

/** The agent that is meant: by id or name, else the newest of one's own, which is then said. */
export async function chooseAgent(session: Session, wanted: string | undefined): Promise<AgentResource> {
  const agents = await readList<AgentResource>(session.client, '/v1/agents');
  const newestFirst = agents.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const first = newestFirst.find(({ readOnly }) => !readOnly) ?? newestFirst[0];
  if (!first) throw new Problem(`There is no agent yet. Import calls: ${PROGRAM} import calls.jsonl`, EXIT.failed);
  if (wanted === undefined) {
    if (agents.length > 1) session.print.note(`Agent ${first.name} (${first.id}); another one with --agent.`);
    return first;
  }
  return pick(agents, wanted);
}

/** What a hint has to say so that it means the same agent; nothing where none was named. */
export const agentFlag = (agent: AgentResource, wanted: string | undefined): string =>
  wanted === undefined ? '' : ` --agent ${agent.id}`;

/** The same as was asked for, for a hint that is pasted into a shell. */
export function agentAgain(wanted: string | undefined): string {
  if (wanted === undefined) return '';
  return /^[\w.-]+$/.test(wanted) ? ` --agent ${wanted}` : ` --agent '${wanted.replaceAll("'", "'\\''")}'`;
}

/** For what spends or changes something: named, or the only one that there is. @throws Problem */
export async function requireAgent(session: Session, wanted: string | undefined): Promise<AgentResource> {
  const agents = await readList<AgentResource>(session.client, '/v1/agents');
  if (wanted !== undefined) return pick(agents, wanted);
  const own = agents.filter(({ readOnly }) => !readOnly);
  const [only, second] = own;
  if (only && !second) return only;
  throw new Problem(['Say which agent: --agent <id or name>.', ...listed(own)].join('\n'));
}

/** @throws Problem that names what there is. */
function pick(agents: AgentResource[], wanted: string): AgentResource {
  const found = matching(agents, wanted);
  if (found.length === 1 && found[0]) return found[0];
  const what =
    found.length === 0 ? `No agent is called ${wanted}.` : `${found.length} agents are called ${wanted}: use the id.`;
  throw new Problem([what, ...listed(agents)].join('\n'), EXIT.failed);
}

const listed = (agents: AgentResource[]) => agents.map((agent) => `  ${agent.id}  ${agent.name}`);

export function matching(agents: AgentResource[], wanted: string): AgentResource[] {
  const byId = agents.filter((agent) => agent.id === wanted.toLowerCase());
  return byId.length > 0 ? byId : agents.filter((agent) => agent.name === wanted);
}
