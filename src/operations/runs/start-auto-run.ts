import type { EntityManager } from '../../db/database.ts';
import { loadAutoTerms } from '../../db/runs/run-terms.ts';
import { loadTestsForRun } from '../../db/tests/tests.ts';
import { announce } from '../../db/webhooks/announce.ts';
import type { RunModels } from '../../domain/limits/run-cost.ts';
import { EARSHOT } from '../../domain/runs/shown-trigger.ts';
import { touchedFirst, untestedWords } from '../../domain/runs/touched.ts';
import { changesBetween } from '../../domain/versions/changes.ts';
import { Failure } from '../failure.ts';
import { openRefusedRun, openRun } from './open-run.ts';

/**
 * Starts the automatic run of a version that has just gone live, unless the agent's settings say otherwise: all tests that
 * gate, or all tests where none does, those first that the change touches. Once a version; in the transaction that stores it.
 * One that can't be played is a run too, refused with the reason.
 * @returns the run's id; null where there is nothing to run.
 */
export async function startAutoRun(
  em: EntityManager,
  agentId: string,
  version: number,
  models: RunModels,
  hasToolAddress = false,
): Promise<string | null> {
  const terms = await loadAutoTerms(em, agentId, version);
  if (terms === null) return null;
  const { tests } = await loadTestsForRun(em, agentId, { all: true });
  if (tests.length === 0) return null;
  const gating = tests.filter(({ gates }) => gates);
  const { agent, before, after } = terms;
  const touched = touchedFirst(
    gating.length > 0 ? gating : tests,
    before && after ? changesBetween(before, after) : [],
  );
  const asked = {
    agent,
    kind: 'run',
    trigger: 'auto',
    tests: touched.tests,
    testSetId: null,
    personas: null,
    version,
    repeats: null,
    createdBy: EARSHOT,
    apiKeyId: null,
    hasToolAddress,
    note: untestedWords(touched.untested),
  } as const;
  try {
    return await openRun(em, asked, models);
  } catch (error) {
    // Refused before anything was written.
    if (!(error instanceof Failure)) throw error;
    await tellUntested(em, agent, version, error.message);
    return openRefusedRun(em, asked, error.message);
  }
}

/** A version is live that nobody could test: people hear why. */
async function tellUntested(
  em: EntityManager,
  { id: agentId, name: agentName }: { id: string; name: string },
  version: number,
  message: string,
): Promise<void> {
  const at = new Date().toISOString();
  const data = { agentId, agentName, version, message };
  await announce(em, agentId, [{ event: 'version.untested', eventKey: `version:${agentId}/${version}`, at, data }]);
}
