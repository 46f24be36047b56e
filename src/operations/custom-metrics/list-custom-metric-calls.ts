import { customMetricCalls } from '../../contract/custom-metric.ts';
import { readCallsOfMetric } from '../../db/custom-metrics/values.ts';
import { METRIC_STATES } from '../../domain/vocabulary.ts';
import { presentCall } from '../calls/present.ts';
import { rangeParams, readRange } from '../metrics/range.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, integerParam, limitParam, textParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { customMetricParent } from './parent.ts';
import { presentValue } from './present.ts';

export const listCustomMetricCalls = defineOperation({
  id: 'listCustomMetricCalls',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/custom-metrics/{customMetric}/calls',
  scope: 'read',
  tag: 'Metrics',
  summary: 'List the calls behind a custom metric',
  description:
    'Calls of a range with what the version in force says of each, worst or newest first. It has no pages: the first 200 at most.',
  whenToUse: 'Call it to see the calls on which a custom metric is worst, or of which it could not be told.',
  parents: [customMetricParent],
  query: {
    ...rangeParams(),
    version: integerParam('Calls that ran on this version of the agent only.'),
    state: choiceParam(METRIC_STATES, 'Only calls of which it says this.'),
    label: textParam('Only calls with this label.'),
    order: choiceParam(
      ['newest', 'worst'],
      '`newest` first (the default), or `worst` first: by value where the metric says which is better, bad labels before others.',
    ),
    limit: limitParam(200),
  },
  response: customMetricCalls,
  async run(context, { query }) {
    const { em, agent } = context;
    const metric = context.parent(customMetricParent);
    const scope = scopeOf(agent);
    const { window } = await readRange(em, scope, query);
    const { state, label, limit, version } = query;
    const asked = { state, label, limit, order: query.order ?? 'newest' };
    const rows = await readCallsOfMetric(em, scope, metric, { window, version }, asked);
    return {
      object: 'custom_metric_calls' as const,
      slug: metric.slug,
      version: metric.version,
      from: window.from,
      to: window.before,
      calls: rows.map(({ call, ...value }) => ({ ...presentValue(metric.answer, value), call: presentCall(call) })),
    };
  },
});
