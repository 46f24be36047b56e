import type { Database } from '../../db/database.ts';
import { insertReanalysis, readOnlyAgentsBehind } from '../../db/reanalyses/reanalyses.ts';
import { ANALYSER_VERSION } from '../../domain/signals/analyser-version.ts';
import { reanalysisEntry } from '../../temporal/reanalyse.ts';
import { addToOutbox } from '../outbox/add-to-outbox.ts';
import { each, eachWorkspace } from '../outbox/each.ts';

/**
 * Orders a re-analysis of the agents that nobody may write to, such as the shared demo, where they were read by an
 * earlier analyser: it switches itself on after its report. All others wait for a person.
 * @returns how many were ordered.
 */
export async function renewReadings(database: Database): Promise<number> {
  let ordered = 0;
  await eachWorkspace(database, async (em, workspaceId) => {
    const behind = await readOnlyAgentsBehind(em, workspaceId, ANALYSER_VERSION);
    await each(behind, async ({ agentId, name: agentName }) => {
      const isOrdered = await em.transactional(async (tx) => {
        const made = { workspaceId, agentId, analyserVersion: ANALYSER_VERSION, thresholds: null, createdBy: null };
        const reanalysisId = await insertReanalysis(tx, { ...made, appliesItself: true });
        if (reanalysisId === null) return false;
        const entry = reanalysisEntry({ reanalysisId, workspaceId, agentId, agentName, task: 'read' });
        await addToOutbox(tx, { entry, workspaceId, agentId });
        return true;
      });
      if (isOrdered) ordered += 1;
    });
  });
  return ordered;
}
