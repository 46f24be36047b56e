import type { Schemas } from '../../client/api.ts';

type Range = Exclude<Schemas['Metrics']['range'], 'custom'>;

export const RANGES = ['24h', '7d', '14d', '30d', '90d', 'all'] as const satisfies Range[];
export const RANGE_LABELS: Record<Range, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '14d': '14 days',
  '30d': '30 days',
  '90d': '90 days',
  all: 'All calls',
};
export const GROUPINGS = ['version', 'intent', 'useCase', 'day', 'outcome'] as const;
export const PARTS = ['all', 'yes', 'no', 'not_read'] as const;

/** What the figures are taken over; without a range, the one that the board takes. */
export interface MetricFilters {
  range?: Range;
}

/** Which of the calls behind a figure are listed, and in which groups. */
export interface MetricCallFilters extends MetricFilters {
  groupBy?: (typeof GROUPINGS)[number];
  part?: (typeof PARTS)[number];
}

export function readMetricFilters(search: Record<string, unknown>): MetricFilters {
  const range = RANGES.find((each) => each === search['range']);
  return range ? { range } : {};
}

export function readMetricCallFilters(search: Record<string, unknown>): MetricCallFilters {
  const groupBy = GROUPINGS.find((each) => each === search['groupBy']);
  const part = PARTS.find((each) => each === search['part']);
  return { ...readMetricFilters(search), ...(groupBy ? { groupBy } : {}), ...(part ? { part } : {}) };
}
