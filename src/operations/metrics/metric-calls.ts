import { metricCalls as metricCallsDocument } from '../../contract/metrics.ts';
import type { EntityManager } from '../../db/database.ts';
import { METRIC_PARTS, type MetricPart, partsOfMetric, readMetricCalls } from '../../db/metrics/read-metric-calls.ts';
import {
  type GroupSums,
  type MetricGroup,
  type MetricSlice,
  readMetricBins,
  readMetricSums,
  sampleMetricBins,
} from '../../db/metrics/read-metrics.ts';
import type { ReadScope } from '../../db/read-scope.ts';
import { figureOf, type MetricBins, measureOf, NO_BINS, partsOf } from '../../domain/metrics/figures.ts';
import { spreadOf } from '../../domain/metrics/median.ts';
import { presentCall } from '../calls/present.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, limitParam, textParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { groupNames, inOrder } from './groups.ts';
import { metricParent } from './metric-parent.ts';
import { rangeParams, readRange } from './range.ts';

const GROUPS_AT_MOST = 100;
const CALLS_AT_MOST = 5_000;

export const metricCalls = defineOperation({
  id: 'listMetricCalls',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/metrics/{metric}/calls',
  scope: 'read',
  tag: 'Metrics',
  summary: 'List the calls behind a metric',
  description:
    'The calls that one metric is taken over, in the groups of the board, newest or worst first, with the value of each group and what the metric takes from each call. It has no pages: a group shows its first calls, the answer at most 100 groups and 5,000 calls. Medians by intent, use case and outcome are those of the newest 10,000 calls of the range.',
  whenToUse:
    'Call it to see which calls make up a figure, or how it differs between versions, intents, days or outcomes.',
  parents: [metricParent],
  query: {
    ...rangeParams(),
    groupBy: choiceParam(
      ['version', 'intent', 'useCase', 'day', 'outcome'],
      'What the calls are grouped by; without it they are one group.',
    ),
    group: textParam('Only the group with this key; together with `groupBy`.'),
    part: choiceParam(
      METRIC_PARTS,
      '`all` calls that the metric is taken over (the default), those that it is true of (`yes`), the others (`no`), or those that would count and could not be read (`not_read`). Medians have no `yes` and `no`.',
    ),
    order: choiceParam(
      ['newest', 'worst'],
      '`newest` first (the default), or `worst` first: by the value of each call, most first; where it only is true or not, newest first all the same.',
    ),
    limit: limitParam(200),
    cursor: textParam('Accepted so that it can be asked like a list, and of no effect: there are no pages.', 2_000),
  },
  response: metricCallsDocument,
  async run(context, { query }) {
    const { em } = context;
    const scope = scopeOf(context.agent);
    const definition = context.parent(metricParent);
    const { metric, label, unit, better, over } = definition;
    const part = query.part ?? 'all';
    checkQuery(metric, part, query);
    const by: MetricGroup = query.groupBy ?? 'none';
    const { range, window, settledUntil } = await readRange(em, scope, query);
    const slice = { window, version: null };
    const sums = await readMetricSums(em, scope, slice, by, settledUntil);
    const names = await groupNames(em, scope, by);
    const measure = measureOf(metric);
    const bins = measure === null ? new Map<string, MetricBins>() : await binsBy(em, scope, slice, by);
    const shown = inOrder(by, sums)
      .filter(({ key }) => query.group === null || names.keyOf(key) === query.group)
      .slice(0, GROUPS_AT_MOST);
    const limit = Math.max(1, Math.min(query.limit, Math.floor(CALLS_AT_MOST / Math.max(1, shown.length))));
    const calls = await readMetricCalls(em, scope, slice, {
      metric,
      part,
      settledUntil,
      by,
      order: query.order ?? 'newest',
      limit,
      groups: shown.map((group) => ({ key: group.key, atMost: atMost(metric, part, group, bins.get(group.key)) })),
    });
    return {
      object: 'metric_calls' as const,
      metric,
      label,
      unit,
      better,
      over,
      range,
      from: window.from,
      to: window.before,
      groupBy: query.groupBy,
      part,
      groups: shown.map((group) => {
        const binned = bins.get(group.key) ?? NO_BINS;
        const { value, n } = figureOf(metric, group.sums, binned);
        const found = calls.get(group.key) ?? [];
        return {
          key: names.keyOf(group.key),
          label: names.labelOf(group.key),
          value,
          n,
          spread: measure === null ? null : spreadOf(binned[measure]),
          calls: found.map(({ call }) => presentCall(call)),
          values: found.map((each) => each.value),
        };
      }),
    };
  },
});

function checkQuery(metric: string, part: MetricPart, query: { groupBy: string | null; group: string | null }): void {
  if (query.group !== null && query.groupBy === null) {
    throw new Failure('invalid_parameter', 'group needs groupBy, which says what its key is of.', { param: 'group' });
  }
  const parts = partsOfMetric(metric);
  if (!parts.includes(part)) {
    throw new Failure('invalid_parameter', `part must be one of ${parts.join(', ')} for ${metric}.`, { param: 'part' });
  }
}

function binsBy(em: EntityManager, scope: ReadScope, slice: MetricSlice, by: MetricGroup) {
  return by === 'none' || by === 'version' || by === 'day'
    ? readMetricBins(em, scope, slice, by)
    : sampleMetricBins(em, scope, slice, by);
}

/** How many calls of the part a group has at most, so that a search ends with the last of them. */
function atMost(metric: string, part: MetricPart, { sums }: GroupSums, bins: MetricBins = NO_BINS): number {
  if (measureOf(metric) !== null) {
    const { n, notRead } = figureOf(metric, sums, bins);
    // Of a sample the number says only whether there are any.
    return part === 'not_read' ? notRead : Math.min(n, 1) * sums.calls;
  }
  const { yes, no, notRead } = partsOf(metric, sums);
  return { all: yes + no, yes, no, not_read: notRead }[part];
}
