import type { AgentResource } from '../../src/contract/agent.ts';
import type { RunResource } from '../../src/contract/run.ts';
import { PROGRAM } from '../../src/layout.ts';
import { chooseAgent } from '../choose-agent.ts';
import { readList } from '../lists.ts';
import { EXIT, Problem, ServerProblem } from '../problem.ts';
import type { Session } from '../session.ts';

/** A run by its id: of the agent that is named, else of whichever has it. */
export async function findRun(
  session: Session,
  runId: string,
  wantedAgent: string | undefined,
): Promise<{ agent: AgentResource; run: RunResource }> {
  const agents =
    wantedAgent === undefined
      ? await readList<AgentResource>(session.client, '/v1/agents')
      : [await chooseAgent(session, wantedAgent)];
  for (const agent of agents) {
    try {
      const run = await session.client.read<RunResource>(`/v1/agents/${agent.id}/runs/${encodeURIComponent(runId)}`);
      return { agent, run };
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.code !== 'run_not_found') throw error;
    }
  }
  throw new Problem(`There is no run ${runId} that you can see. List them: ${PROGRAM} runs`, EXIT.unusable);
}
