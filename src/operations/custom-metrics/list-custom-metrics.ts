import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { customMetric } from '../../contract/custom-metric.ts';
import { listCustomMetrics as readMetrics } from '../../db/custom-metrics/metrics.ts';
import { readValueSums } from '../../db/custom-metrics/values.ts';
import { rangeParams, readRange } from '../metrics/range.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
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
    'The metrics that people defined for the agent, by slug, each with its figure over a range of calls. An agent has 50 at most, which one page holds.',
  whenToUse: 'Call it to see what else a team measures on its calls, and how it stands.',
  query: { ...rangeParams(), limit: limitParam(100, 50), cursor: cursorParam(z.tuple([z.string()])) },
  response: listOf(customMetric),
  async run({ em, agent, page }, { query }) {
    const { limit, cursor } = query;
    const scope = scopeOf(agent);
    const { window } = await readRange(em, scope, query);
    const all = await readMetrics(em, scope);
    const metrics = all.filter(({ slug }) => cursor === null || slug > cursor[0]).slice(0, limit + 1);
    const sums = await readValueSums(em, scope, metrics, { window, version: null }, 'none');
    const byId = new Map(sums.map((one) => [one.metricId, one]));
    return page(
      metrics,
      limit,
      (metric) => presentMetric(metric, byId.get(metric.id)),
      ({ slug }) => [slug],
    );
  },
});
