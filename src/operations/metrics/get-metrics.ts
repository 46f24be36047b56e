import { type MetricsDocument, metricsDocument } from '../../contract/metrics.ts';
import {
  type GroupSums,
  type MetricSlice,
  readMetricBins,
  readMetricSums,
  readStepIssues,
} from '../../db/metrics/read-metrics.ts';
import { NO_DAY } from '../../domain/issues/ledger.ts';
import { addMetricBins, addSums, figureOf, METRICS, type MetricBins, NO_BINS } from '../../domain/metrics/figures.ts';
import type { Context } from '../operation.ts';
import { defineOperation } from '../operation.ts';
import { integerParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { rangeParams, readRange } from './range.ts';

const COUNT_ROWS_AT_MOST = 50;

export const getMetrics = defineOperation({
  id: 'getMetrics',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/metrics',
  scope: 'read',
  tag: 'Metrics',
  summary: "Read the board's figures",
  description:
    'Each measure over a range of calls with its interval, the period before it and its course by day. Medians are read from bins of five per cent. The figures follow each stored batch of calls.',
  whenToUse: 'Call it to learn how well the agent does, and whether that has changed lately.',
  query: { ...rangeParams(), version: integerParam('Calls that ran on this version of the agent only.') },
  response: metricsDocument,
  async run(context, { query }) {
    const { em, agent } = context;
    const scope = scopeOf(agent);
    const { version } = query;
    const { range, window, previous, settledUntil } = await readRange(em, scope, query);
    const now = await readFigures(context, { window, version }, settledUntil, 'day');
    const then = previous && (await readFigures(context, { window: previous, version }, settledUntil, 'none'));
    const rows = await readStepIssues(em, scope, { countOnly: true, limit: COUNT_ROWS_AT_MOST });
    return {
      object: 'metrics' as const,
      range,
      from: window.from,
      to: window.before,
      previous:
        previous?.from && previous.before && then
          ? { from: previous.from, to: previous.before, calls: then.sums.calls }
          : null,
      version,
      calls: now.sums.calls,
      metrics: METRICS.map(({ metric, label, unit, better, over }): MetricsDocument['metrics'][number] => {
        const before = then && figureOf(metric, then.sums, then.bins);
        return {
          metric,
          label,
          unit,
          better,
          over,
          ...figureOf(metric, now.sums, now.bins),
          previous: before && { value: before.value, n: before.n },
          series: now.groups
            .filter(({ key }) => key !== NO_DAY)
            .map(({ key, sums }) => {
              const { value, n } = figureOf(metric, sums, now.binsOf(key));
              return { day: key, value, n };
            }),
        };
      }),
      countRows: rows.map(({ issueId, title, kind, placeId, placeLabel, calls }) => ({
        issueId,
        title,
        step: { kind, id: placeId, label: placeLabel },
        calls,
      })),
    };
  },
});

async function readFigures({ em, agent }: Context, slice: MetricSlice, settledUntil: string, by: 'day' | 'none') {
  const scope = scopeOf(agent);
  const groups: GroupSums[] = await readMetricSums(em, scope, slice, by, settledUntil);
  const bins = await readMetricBins(em, scope, slice, by);
  return {
    groups,
    binsOf: (key: string): MetricBins => bins.get(key) ?? NO_BINS,
    sums: addSums(groups.map(({ sums }) => sums)),
    bins: addMetricBins([...bins.values()]),
  };
}
