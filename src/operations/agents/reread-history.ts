import type { AgentView } from '../../db/agents/read-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { insertReanalysis } from '../../db/reanalyses/reanalyses.ts';
import { ANALYSER_VERSION } from '../../domain/signals/analyser-version.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { reanalysisEntry } from '../../temporal/reanalyse.ts';
import { Failure } from '../failure.ts';

/**
 * Orders that the whole history is read under the thresholds that were just saved, and switched on when it is read:
 * until then the old readings stand, so that a board never mixes both.
 */
export async function rereadHistory(em: EntityManager, agent: AgentView, personId: string): Promise<void> {
  const { workspaceId, id: agentId, name: agentName } = agent;
  const reanalysisId = await insertReanalysis(em, {
    workspaceId,
    agentId,
    analyserVersion: ANALYSER_VERSION,
    thresholds: null,
    appliesItself: true,
    createdBy: personId,
  });
  if (reanalysisId === null) {
    const message =
      'Another re-analysis of this agent is open. Apply or discard it first: the thresholds would change under it.';
    throw new Failure('reanalysis_in_progress', message);
  }
  const entry = reanalysisEntry({ reanalysisId, workspaceId, agentId, agentName, task: 'read' });
  await addToOutbox(em, { entry, workspaceId, agentId });
}
