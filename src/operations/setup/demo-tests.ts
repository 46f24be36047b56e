import type { EntityManager } from '../../db/database.ts';
import { hasTests, insertTest, testsMadeBy } from '../../db/tests/tests.ts';
import { EARSHOT } from '../../domain/runs/shown-trigger.ts';
import type { ReadyTest } from '../../domain/tests/ready-test.ts';

/** Gives a demo agent its tests, once: one that has any, archived ones too, is left as it is. */
export async function ensureDemoTests(
  em: EntityManager,
  agent: { workspaceId: string; agentId: string },
  tests: readonly ReadyTest[],
): Promise<void> {
  if (tests.length === 0 || (await hasTests(em, agent.agentId))) return;
  for (const test of tests) {
    const made = { ...test, ...agent, source: 'written' as const, createdBy: EARSHOT };
    await insertTest(em, { ...made, sourceCallId: null, generatedFrom: null });
  }
}

/** The tests that came with a shared demo agent, for a copy of it. */
export async function readyTestsOf(em: EntityManager, agentId: string): Promise<ReadyTest[]> {
  return testsMadeBy(em, agentId, EARSHOT);
}
