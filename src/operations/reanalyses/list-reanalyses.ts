import { reanalyses } from '../../contract/reanalysis.ts';
import { countBehind, listReanalyses as readReanalyses } from '../../db/reanalyses/reanalyses.ts';
import { ANALYSER_VERSION } from '../../domain/signals/analyser-version.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { presentReanalysis } from './present.ts';

const SHOWN = 20;

export const listReanalyses = defineOperation({
  id: 'listReanalyses',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/reanalyses',
  scope: 'person',
  tag: 'Re-analysis',
  summary: 'List re-analyses, and how many calls have an older reading',
  description:
    'A newer analyser reads new calls at once. Calls that were read before keep their reading until somebody applies a re-analysis.',
  response: reanalyses,
  async run(context) {
    const scope = scopeOf(context.agent);
    const callsBehind = await countBehind(context.em, scope, ANALYSER_VERSION);
    const rows = await readReanalyses(context.em, scope, SHOWN);
    return {
      object: 'reanalyses' as const,
      analyserVersion: ANALYSER_VERSION,
      callsBehind,
      message:
        callsBehind === 0
          ? null
          : `${callsBehind} calls were read by an earlier analyser. Start a re-analysis to see what the present one would change.`,
      data: rows.map((row) => ({ ...presentReanalysis(row), report: null })),
    };
  },
});
