import type { AgentView } from '../../db/agents/read-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { configurationOf } from '../../db/versions/versions.ts';
import type { TestSpec } from '../../domain/tests/spec.ts';
import { problemsOf, type SpecProblem } from '../../domain/tests/validate.ts';
import { Failure } from '../failure.ts';

/** What is wrong with a spec, seen from the version that is current. */
export async function findProblems(em: EntityManager, agent: AgentView, spec: TestSpec): Promise<SpecProblem[]> {
  const configuration = await configurationOf(em, agent.id, agent.currentVersion);
  return problemsOf(spec, { version: agent.currentVersion, configuration });
}

/** @throws Failure 400 for a spec that no simulated call could ever decide; what another version may bring is let in. */
export async function refuseUndecidable(em: EntityManager, agent: AgentView, spec: TestSpec): Promise<void> {
  const [problem] = (await findProblems(em, agent, spec)).filter(({ weight }) => weight === 'undecidable');
  if (problem) throw new Failure('invalid_parameter', `${problem.param}: ${problem.message}`, { param: problem.param });
}
