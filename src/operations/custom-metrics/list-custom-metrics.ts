import { listOf } from '../../contract/common.ts';
import { customMetric } from '../../contract/custom-metric.ts';
import { listCustomMetrics as readMetrics } from '../../db/custom-metrics/metrics.ts';
import { readValueSums } from '../../db/custom-metrics/values.ts';
import { rangeParams, readRange } from '../metrics/range.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { presentMetric } from './present.ts';

export const listCustomMetrics = defineOperation({
  id: 'listCustomMetrics',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/custom-metrics',
  scope: 'read',
  tag: 'Metrics',
  summary: 'List custom metrics',
  description:
    'The metrics that people defined for the agent, by slug, each with its figure over a range of calls. An agent has 50 at most, so there are no pages.',
  whenToUse: 'Call it to see what else a team measures on its calls, and how it stands.',
  query: rangeParams(),
  response: listOf(customMetric),
  async run({ em, agent }, { query }) {
    const scope = scopeOf(agent);
    const { window } = await readRange(em, scope, query);
    const metrics = await readMetrics(em, scope);
    const sums = await readValueSums(em, scope, metrics, { window, version: null }, 'none');
    const byId = new Map(sums.map((one) => [one.metricId, one]));
    const data = metrics.map((metric) => presentMetric(metric, byId.get(metric.id)));
    return { object: 'list' as const, data, hasMore: false, nextCursor: null };
  },
});
