import type { AgentResource } from '../src/contract/agent.ts';
import { PROGRAM } from '../src/layout.ts';
import { agentAgain, chooseAgent } from './choose-agent.ts';
import { readList } from './lists.ts';
import { EXIT, Problem, ServerProblem } from './problem.ts';
import type { Session } from './session.ts';

export interface Found<Thing> {
  agent: AgentResource;
  thing: Thing;
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/**
 * Something of an agent: of the one that is named, else of whichever has it.
 * @param read what an agent has of it; null, or an answer of 404, where it has nothing.
 */
export async function findAnywhere<Thing>(
  session: Session,
  wantedAgent: string | undefined,
  read: (agent: AgentResource) => Promise<Thing | null>,
): Promise<Found<Thing> | null> {
  const agents =
    wantedAgent === undefined
      ? await readList<AgentResource>(session.client, '/v1/agents')
      : [await chooseAgent(session, wantedAgent)];
  for (const agent of agents) {
    const thing = await orNull(read(agent));
    if (thing !== null) return { agent, thing };
  }
  return null;
}

/** @param what the word of its list, in the singular. */
export const notFound = (what: 'call' | 'import' | 'issue', wanted: string, agent: string | undefined): Problem =>
  new Problem(`No ${what} ${wanted} that you can see. List them: ${PROGRAM} ${what}s${agentAgain(agent)}`, EXIT.failed);

/** Null where the server knows of no such thing. */
export async function orNull<Thing>(reading: Promise<Thing>): Promise<Thing | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServerProblem && error.status === 404) return null;
    throw error;
  }
}
