import type { Finding } from '../packages/embedded/finding.ts';
import type { AgentResource } from '../src/contract/agent.ts';
import { PROGRAM } from '../src/layout.ts';
import { readList } from './lists.ts';
import { Problem } from './problem.ts';
import { progressOf, readStanding, whatItReads } from './reading.ts';
import { openSession } from './session.ts';

const AGENTS_SHOWN = 5;

/** Which calls of one's own agents a model reads, and what that costs. */
export async function examineReading(): Promise<Finding[]> {
  try {
    const session = openSession({});
    const agents = await readList<AgentResource>(session.client, '/v1/agents');
    const own = agents.filter(({ readOnly }) => !readOnly).slice(0, AGENTS_SHOWN);
    return await Promise.all(
      own.map(async ({ id, name }): Promise<Finding> => {
        const standing = await readStanding(session, id);
        const { model, pause, estimate } = standing;
        if (model === null) {
          const todo = 'stop Earshot and start it again with the model';
          return { name: 'Reading', state: 'wrong', says: `${name}: the server was started without a model`, todo };
        }
        const about = estimate === null ? '' : ` ${estimate.text}.`;
        const says = `${name}: ${whatItReads(model.name, standing)} ${progressOf(standing)}${about}`;
        const todo = pause && `it goes on by itself; ${PROGRAM} reading try-now --agent ${id} tries at once`;
        return { name: 'Reading', state: pause ? 'wrong' : 'fine', says, todo };
      }),
    );
  } catch (error) {
    // Somebody who is not signed in here sees the rest.
    if (error instanceof Problem) return [];
    throw error;
  }
}
