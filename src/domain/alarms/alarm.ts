import type { ALARM_COMPARISONS, ALARM_SIDES, AlarmNoData, AlarmWindow } from '../vocabulary.ts';

export type AlarmMeasure =
  /** How many calls there are, and what all of them or each of them cost in USD. */
  | { kind: 'calls' | 'cost' | 'cost_per_call' }
  | { kind: 'metric'; metric: string }
  /** The share of calls with a code, of those on which it could be told. */
  | { kind: 'signal'; code: string }
  /** Of a metric that answers with labels: the share of one of them. */
  | { kind: 'custom_metric'; slug: string; label: string | null };

/** When an alarm rings. A change of it begins its state anew. */
export interface AlarmRule {
  measure: AlarmMeasure;
  /** A line that the calls are filtered by; null: all calls of the agent. */
  filter: string | null;
  window: AlarmWindow;
  /** Windows with fewer calls say nothing. */
  leastCalls: number;
  against: (typeof ALARM_COMPARISONS)[number];
  is: (typeof ALARM_SIDES)[number];
  /** In the unit of the measure; against what is usual, how much more or less, as a share of that. One of the two may be null. */
  warning: number | null;
  critical: number | null;
  noData: AlarmNoData;
  /** Windows in a row that it takes to ring, and to recover. */
  breaches: number;
  /** Null: it is told once. */
  remindAfterMinutes: number | null;
}

/** How the figure of a measure is made of calls: a sum, a share of yes, a mean, or a median of milliseconds. */
export type FigureKind = 'total' | 'share' | 'mean' | 'median';

const MINUTE_MS = 60_000;

/** How long a window is, and how far the next one is from it. The length is a multiple of the step. */
const WINDOWS: Readonly<Record<AlarmWindow, { minutes: number; step: number }>> = {
  '15m': { minutes: 15, step: 5 },
  '1h': { minutes: 60, step: 15 },
  '4h': { minutes: 240, step: 30 },
  '1d': { minutes: 1_440, step: 120 },
  '7d': { minutes: 10_080, step: 720 },
};

export const stepMs = ({ window }: Pick<AlarmRule, 'window'>) => WINDOWS[window].step * MINUTE_MS;
/** Steps that a window is long. */
export const stepsOf = ({ window }: Pick<AlarmRule, 'window'>) => WINDOWS[window].minutes / WINDOWS[window].step;
/** Steps of a week. */
export const weekOf = ({ window }: Pick<AlarmRule, 'window'>) => 10_080 / WINDOWS[window].step;

/** Calls come in and are analyzed within so long after a window ended; later ones are looked back for. */
export const SETTLE_MS = 10 * MINUTE_MS;
const LOOK_BACK_MS = 120 * MINUTE_MS;

/** Steps within which a call may come late and still be counted in the state, whatever order calls come in. */
export const lateSteps = (rule: Pick<AlarmRule, 'window'>) => Math.ceil(LOOK_BACK_MS / stepMs(rule));

/** The newest window that can be looked at: window `tick` ends `tick` steps after 1970. */
export const newestTick = (rule: Pick<AlarmRule, 'window'>, nowMs: number) =>
  Math.floor((nowMs - SETTLE_MS) / stepMs(rule));

/** When the next window can be looked at. */
export const nextLookMs = (rule: Pick<AlarmRule, 'window'>, nowMs: number) =>
  (newestTick(rule, nowMs) + 1) * stepMs(rule) + SETTLE_MS;

/** Weeks before that say what is usual. */
export const PAST_WEEKS = 4;
