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

/** What the figures are taken over: a range, or two times; without either, the range that the board takes. */
export interface MetricFilters {
  range?: Range;
  from?: string;
  to?: string;
}

/** Which of the calls behind a figure are listed, and in which groups. */
export interface MetricCallFilters extends MetricFilters {
  groupBy?: (typeof GROUPINGS)[number];
  part?: (typeof PARTS)[number];
}

export function readMetricFilters(search: Record<string, unknown>): MetricFilters {
  const range = RANGES.find((each) => each === search['range']);
  if (range) return { range };
  const [from, to] = [timeOf(search['from']), timeOf(search['to'])];
  return from !== null && to !== null ? { from, to } : {};
}

const timeOf = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;

interface Seen {
  from: string | null;
  to: string | null;
}

/** The address of the page as it is seen now: another day, the same figures. Of all calls there is nothing to fix. */
export function addressAsSeen({ from, to }: Seen): string {
  const address = new URL(location.href);
  if (from === null || to === null) return address.href;
  address.searchParams.delete('range');
  address.searchParams.set('from', from);
  address.searchParams.set('to', to);
  return address.href;
}

export function readMetricCallFilters(search: Record<string, unknown>): MetricCallFilters {
  const groupBy = GROUPINGS.find((each) => each === search['groupBy']);
  const part = PARTS.find((each) => each === search['part']);
  return { ...readMetricFilters(search), ...(groupBy ? { groupBy } : {}), ...(part ? { part } : {}) };
}
