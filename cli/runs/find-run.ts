import type { AgentResource } from '../../src/contract/agent.ts';
import type { RunResource } from '../../src/contract/run.ts';
import { PROGRAM } from '../../src/layout.ts';
import { findAnywhere } from '../find-anywhere.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';

/** A run by its id: of the agent that is named, else of whichever has it. */
export async function findRun(
  session: Session,
  runId: string,
  wantedAgent: string | undefined,
): Promise<{ agent: AgentResource; run: RunResource }> {
  const found = await findAnywhere(session, wantedAgent, ({ id }) =>
    session.client.read<RunResource>(`/v1/agents/${id}/runs/${encodeURIComponent(runId)}`),
  );
  if (!found) throw new Problem(`There is no run ${runId} that you can see. List them: ${PROGRAM} runs`, EXIT.unusable);
  return { agent: found.agent, run: found.thing };
}
