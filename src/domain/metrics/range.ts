/** The ranges of a board. All but the first are whole days (UTC): the newest day with calls and those before it. */
export const METRIC_RANGES = ['24h', '7d', '14d', '30d', '90d', 'all'] as const;
export type MetricRange = (typeof METRIC_RANGES)[number];

const DAYS: Readonly<Record<Exclude<MetricRange, '24h' | 'all'>, number>> = {
  '7d': 7,
  '14d': 14,
  '30d': 30,
  '90d': 90,
};
const DAY_MS = 86_400_000;
/** With fewer days of calls than this, a board shows them all. */
const YOUNG_DAYS = 14;

/** Calls that started at or after `from` and before `before`; nulls: no bound on that side, calls without a start included. */
export interface Window {
  from: string | null;
  before: string | null;
}

export interface ChosenRange {
  range: MetricRange | 'custom';
  window: Window;
  /** The window of the same length right before; null where the range has no length. */
  previous: Window | null;
}

/** Of the agent's analysed calls with a start: when the first and the newest one began, in ISO 8601. */
export interface CallSpan {
  firstAt: string | null;
  newestAt: string | null;
}

/**
 * What a board shows. Ranges go back from the agent's newest call, so that an agent whose calls came from a file, or
 * that stands still, shows its last days; a call from the future counts as now.
 */
export function chooseRange(
  asked: { range: MetricRange | null; from: string | null; to: string | null },
  span: CallSpan,
  now: string,
): ChosenRange {
  if (asked.from !== null && asked.to !== null) {
    const window = { from: asked.from, before: asked.to };
    return { range: 'custom', window, previous: before(window) };
  }
  const range = asked.range ?? (isYoung(span) ? 'all' : '30d');
  const newest = span.newestAt === null || span.newestAt > now ? now : span.newestAt;
  if (range === 'all') return { range, window: { from: null, before: null }, previous: null };
  if (range === '24h') {
    const end = Date.parse(newest) + 1;
    const window = { from: iso(end - DAY_MS), before: iso(end) };
    return { range, window, previous: before(window) };
  }
  const end = startOfDay(newest) + DAY_MS;
  const window = { from: iso(end - DAYS[range] * DAY_MS), before: iso(end) };
  return { range, window, previous: before(window) };
}

/** The day before which a caller has had seven days to call again, all of that day's calls; seen from the newest call. */
export function settledUntil({ newestAt }: CallSpan, now: string): string {
  const newest = newestAt === null || newestAt > now ? now : newestAt;
  return iso(startOfDay(newest) - 7 * DAY_MS).slice(0, 10);
}

function isYoung({ firstAt, newestAt }: CallSpan): boolean {
  if (firstAt === null || newestAt === null) return true;
  return Date.parse(newestAt) - Date.parse(firstAt) < YOUNG_DAYS * DAY_MS;
}

function before(window: { from: string; before: string }): Window {
  const length = Date.parse(window.before) - Date.parse(window.from);
  return { from: iso(Math.max(FIRST_MS, Date.parse(window.from) - length)), before: window.from };
}

/** Times of the contract lie in the years 1 to 9999. */
const FIRST_MS = Date.parse('0001-01-02T00:00:00.000Z');

export interface Days {
  /** First and last whole day, `2026-03-02`; null where the window holds none. */
  whole: { first: string; last: string } | null;
  /** Parts of days, half open. */
  parts: { from: string; before: string }[];
}

/** Lays a bounded window over days: whole ones are read from sums, parts of days call by call. */
export function daysOf(window: { from: string; before: string }): Days {
  const from = Date.parse(window.from);
  const end = Date.parse(window.before);
  if (end <= from) return { whole: null, parts: [] };
  const first = Math.ceil(from / DAY_MS) * DAY_MS;
  const last = Math.floor(end / DAY_MS) * DAY_MS;
  if (first >= last) return { whole: null, parts: [{ from: window.from, before: window.before }] };
  const parts = [
    ...(from < first ? [{ from: window.from, before: iso(first) }] : []),
    ...(last < end ? [{ from: iso(last), before: window.before }] : []),
  ];
  return { whole: { first: iso(first).slice(0, 10), last: iso(last - DAY_MS).slice(0, 10) }, parts };
}

const startOfDay = (time: string) => Math.floor(Date.parse(time) / DAY_MS) * DAY_MS;
const iso = (ms: number) => new Date(ms).toISOString();
