import { loadTestsForRun } from '../../db/tests/tests.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';

/** @returns the ids as they are stored. @throws Failure naming the first that is no test of the agent that can be played. */
export async function requireTests({ em, agent }: Context, testCaseIds: readonly string[]): Promise<string[]> {
  const testIds = testCaseIds.map((id) => id.toLowerCase());
  const { missing } = await loadTestsForRun(em, agent.id, { testIds });
  const [absent] = missing;
  if (absent === undefined) return testIds;
  const param = `testCaseIds[${testIds.indexOf(absent)}]`;
  throw new Failure('test_not_found', `${param}: there is no such test of this agent, or it is archived.`, { param });
}
