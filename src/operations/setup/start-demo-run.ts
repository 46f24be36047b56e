import type { EntityManager } from '../../db/database.ts';
import { findUnplayedDemo } from '../../db/runs/run-terms.ts';
import { loadTestsForRun } from '../../db/tests/tests.ts';
import type { RunModels } from '../../domain/limits/run-cost.ts';
import { EARSHOT } from '../../domain/runs/shown-trigger.ts';
import { Failure } from '../failure.ts';
import { openRun } from '../runs/open-run.ts';

/**
 * Plays the tests of a demo agent once, so that there is a run to look at. It draws nothing from the plan. Doing it again
 * changes nothing.
 * @returns the run's id; null where the agent is no demo, has had a run, or can't be played yet.
 */
export async function startDemoRun(em: EntityManager, agentId: string, models: RunModels): Promise<string | null> {
  return em.transactional(async (tx) => {
    const agent = await findUnplayedDemo(tx, agentId);
    if (agent === null) return null;
    const { tests } = await loadTestsForRun(tx, agentId, { all: true });
    if (tests.length === 0) return null;
    const asked = {
      agent,
      kind: 'run',
      trigger: 'manual',
      tests,
      testSetId: null,
      personas: null,
      version: null,
      repeats: null,
      createdBy: EARSHOT,
      apiKeyId: null,
      hasToolAddress: false,
      drawsNothing: true,
    } as const;
    try {
      return await openRun(tx, asked, models);
    } catch (error) {
      // Refused before anything was written: the live version was not captured, or has nothing to stand in for a tool.
      if (error instanceof Failure) return null;
      throw error;
    }
  });
}
