import { newReanalysis, reanalysis } from '../../contract/reanalysis.ts';
import { findReanalysis, insertReanalysis } from '../../db/reanalyses/reanalyses.ts';
import { ANALYSER_VERSION } from '../../domain/signals/analyser-version.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { reanalysisEntry } from '../../temporal/reanalyse.ts';
import { checkThresholds } from '../agents/check-thresholds.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { presentReanalysis } from './present.ts';

export const startReanalysis = defineOperation({
  id: 'startReanalysis',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/reanalyses',
  scope: 'person',
  tag: 'Re-analysis',
  summary: 'Read the history of an agent again',
  description:
    'Every analysed call is read by the installed analyser, or under other thresholds, apart from what is shown. It ends with a report of what would change; nothing does before somebody applies it. It draws nothing from the allowance of analysed calls.',
  body: newReanalysis,
  response: reanalysis,
  async run(context, { body }) {
    const { em, agent } = context;
    const thresholds = body?.thresholds ?? null;
    if (thresholds) checkThresholds(thresholds);
    const { workspaceId, id: agentId, name: agentName } = agent;
    const createdBy = context.person().personId;
    const made = {
      workspaceId,
      agentId,
      analyserVersion: ANALYSER_VERSION,
      thresholds,
      appliesItself: false,
      createdBy,
    };
    const reanalysisId = await insertReanalysis(em, made);
    if (reanalysisId === null) {
      const message = 'Another re-analysis of this agent is open. Apply or discard it first.';
      throw new Failure('reanalysis_in_progress', message);
    }
    const entry = reanalysisEntry({ reanalysisId, workspaceId, agentId, agentName, task: 'read' });
    await addToOutbox(em, { entry, workspaceId, agentId });
    const row = await findReanalysis(em, scopeOf(agent), reanalysisId);
    if (!row) throw new Error('A re-analysis that was just made is not there.');
    return presentReanalysis(row);
  },
});
