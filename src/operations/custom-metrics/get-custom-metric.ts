import { customMetricDetail } from '../../contract/custom-metric.ts';
import { listMetricVersions } from '../../db/custom-metrics/metrics.ts';
import { FIGURE_GROUPS, readValueSums } from '../../db/custom-metrics/values.ts';
import { differenceOfValues } from '../../domain/custom-metrics/figures.ts';
import { rangeParams, readRange } from '../metrics/range.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { customMetricParent } from './parent.ts';
import { presentFigure, presentMetric } from './present.ts';

export const getCustomMetric = defineOperation({
  id: 'getCustomMetric',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/custom-metrics/{customMetric}',
  scope: 'read',
  tag: 'Metrics',
  summary: 'Read a custom metric',
  description:
    'What it is, its versions with the reasons for each change, and its figure over a range of calls, as a whole and by version of the agent, intent, outcome or day. By version each one says how much it differs from the one before, with an interval.',
  whenToUse: 'Call it to see how one custom metric is defined, or whether it changed between versions of the agent.',
  parents: [customMetricParent],
  query: {
    ...rangeParams(),
    groupBy: choiceParam(FIGURE_GROUPS, 'What the calls are grouped by; without it there are no groups.'),
  },
  response: customMetricDetail,
  async run(context, { query }) {
    const { em, agent } = context;
    const metric = context.parent(customMetricParent);
    const scope = scopeOf(agent);
    const { window } = await readRange(em, scope, query);
    const slice = { window, version: null };
    const [whole] = await readValueSums(em, scope, [metric], slice, 'none');
    const by = query.groupBy;
    const groups = by === null ? [] : await readValueSums(em, scope, [metric], slice, by);
    if (by === 'version') groups.sort((a, b) => Number(a.key) - Number(b.key));
    return {
      object: 'custom_metric_detail' as const,
      metric: presentMetric(metric, whole),
      from: window.from,
      to: window.before,
      groups: groups.map((group, at) => {
        const before = by === 'version' ? groups[at - 1] : undefined;
        return {
          key: group.key === '' || group.key === '0001-01-01' ? 'unknown' : group.key,
          ...presentFigure(metric.answer, group),
          sinceBefore: before ? differenceOfValues(metric.answer, group, before) : null,
        };
      }),
      versions: (await listMetricVersions(em, metric.id)).map(({ form, ...version }) => ({
        ...version,
        form: { ...form },
      })),
    };
  },
});
