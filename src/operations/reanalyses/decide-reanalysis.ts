import { reanalysis } from '../../contract/reanalysis.ts';
import { dropShadows, findReanalysis, moveReanalysis } from '../../db/reanalyses/reanalyses.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { reanalysisEntry } from '../../temporal/reanalyse.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { reanalysisParent } from './parent.ts';
import { presentReanalysis } from './present.ts';

export const applyReanalysis = defineOperation({
  id: 'applyReanalysis',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/reanalyses/{reanalysisId}/apply',
  scope: 'person',
  tag: 'Re-analysis',
  summary: 'Switch the readings of a re-analysis on',
  description:
    'They take the place of the old ones, batch by batch, and the issues are grouped anew. Keys, statuses, owners, names and labels that people gave stay.',
  parents: [reanalysisParent],
  response: reanalysis,
  async run(context) {
    const { em, agent } = context;
    const { id: reanalysisId } = context.parent(reanalysisParent);
    if (!(await moveReanalysis(em, reanalysisId, ['reported'], 'applying'))) {
      const message = 'It has no report that waits for a decision: it is still being read, or was decided already.';
      throw new Failure('reanalysis_not_reported', message);
    }
    const { workspaceId, id: agentId, name: agentName } = agent;
    const entry = reanalysisEntry({ reanalysisId, workspaceId, agentId, agentName, task: 'apply' });
    await addToOutbox(em, { entry, workspaceId, agentId });
    return presentNow(context);
  },
});

export const discardReanalysis = defineOperation({
  id: 'discardReanalysis',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/reanalyses/{reanalysisId}/discard',
  scope: 'person',
  tag: 'Re-analysis',
  summary: 'Discard a re-analysis',
  description: 'Also while it is being read. What is shown stays as it is.',
  parents: [reanalysisParent],
  response: reanalysis,
  async run(context) {
    const { em } = context;
    const { id } = context.parent(reanalysisParent);
    if (!(await moveReanalysis(em, id, ['queued', 'reading', 'reported'], 'discarded'))) {
      throw new Failure(
        'reanalysis_not_reported',
        'It is being switched on, or has ended: there is nothing to discard.',
      );
    }
    await dropShadows(em, id);
    return presentNow(context);
  },
});

async function presentNow(context: Context) {
  const before = context.parent(reanalysisParent);
  return presentReanalysis((await findReanalysis(context.em, scopeOf(context.agent), before.id)) ?? before);
}
