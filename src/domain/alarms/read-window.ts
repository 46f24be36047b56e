import { addBins, type Bins, medianOf } from '../metrics/median.ts';
import { meanDifference, newcombe, type Sample } from '../statistics.ts';
import type { AlarmLevel } from '../vocabulary.ts';
import { type AlarmRule, type FigureKind, PAST_WEEKS, stepsOf, weekOf } from './alarm.ts';

/** Calls of one step or one window, added up. Of a share `sum` counts the yes, of a total it is the total. */
export interface Sums extends Sample {
  /** Calls within the scope; `n` of them say something of the measure. */
  calls: number;
  /** Of a median alone. */
  bins: Bins;
}

/** Calls by the step in which they began: step `s` is from `s` to `s + 1` steps after 1970. */
export interface Steps {
  sums: ReadonlyMap<number, Sums>;
  /** The step of the agent's first call: weeks before it have no calls because there was no agent. Null: it has none. */
  since: number | null;
}

/** What one window says. */
export interface Reading {
  tick: number;
  /** Null where the window does not say: `why` says why. */
  level: AlarmLevel | null;
  value: number | null;
  /** Calls behind the value. */
  n: number;
  /** The value of the same hours in the weeks before; null where none is asked for, or known. */
  usual: number | null;
  why: string | null;
}

/** Of each single look three in a thousand: windows overlap, and each is another look. */
export const CHANGE_Z = 3;
const WEEKS_AT_LEAST = 2;

const NOTHING: Sums = { calls: 0, n: 0, sum: 0, squares: 0, bins: new Map() };

const added = (parts: readonly Sums[]): Sums => ({
  calls: total(parts, 'calls'),
  n: total(parts, 'n'),
  sum: total(parts, 'sum'),
  squares: total(parts, 'squares'),
  bins: addBins(parts.map(({ bins }) => bins)),
});

const total = (parts: readonly Sums[], name: 'calls' | keyof Sample) =>
  parts.reduce((sum, part) => sum + part[name], 0);

/** The window that ends at a tick. */
function windowAt({ sums }: Steps, tick: number, steps: number): Sums {
  const parts = Array.from({ length: steps }, (_, back) => sums.get(tick - 1 - back)).filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? NOTHING : added(parts);
}

/** Steps whose calls the windows of some ticks are made of, and what they are held against. None overlap. */
export function stepsToRead(rule: AlarmRule, first: number, newest: number): { from: number; to: number }[] {
  const weeks = rule.against === 'usual' ? PAST_WEEKS : 0;
  const ranges: { from: number; to: number }[] = [];
  for (let week = weeks; week >= 0; week -= 1) {
    const back = week * weekOf(rule);
    const range = { from: first - stepsOf(rule) - back, to: newest - back };
    const last = ranges.at(-1);
    if (last && last.to >= range.from) last.to = range.to;
    else ranges.push(range);
  }
  return ranges;
}

export function readWindow(rule: AlarmRule, kind: FigureKind, steps: Steps, tick: number): Reading {
  const length = stepsOf(rule);
  const found = windowAt(steps, tick, length);
  const value = valueOf(kind, found);
  const n = kind === 'total' ? found.calls : found.n;
  const said = { tick, value, n, usual: null };
  const unknown = (why: string): Reading => ({ ...said, level: null, why });
  if (kind === 'total' && found.calls > 0 && found.n === 0) return unknown(`None of ${found.calls} calls says it.`);
  if (rule.against === 'limit') {
    // Few calls are a number of calls too: they ring for nothing, and end what rang for too many.
    if (kind === 'total' && rule.is === 'above' && n < rule.leastCalls) return { ...said, level: 'ok', why: null };
    if (!isEnough(kind, n, rule)) return unknown(tooFew(n, rule));
    return { ...said, level: levelOf(rule, (limit) => exceeds(rule, value, limit)), why: null };
  }
  const past = Array.from({ length: PAST_WEEKS }, (_, week) => tick - (week + 1) * weekOf(rule))
    .filter((end) => steps.since !== null && end - length >= steps.since)
    .map((end) => windowAt(steps, end, length));
  if (past.length < WEEKS_AT_LEAST) return unknown(`The agent has calls of fewer than ${WEEKS_AT_LEAST} weeks before.`);
  const change = changeOf(kind, found, past);
  // Of a total that fell there are few calls now: there have to be enough in the weeks before, on average.
  const base = kind === 'total' ? total(past, 'calls') / past.length : Math.min(n, total(past, 'n'));
  const compared = { ...said, usual: change.usual };
  if (base < rule.leastCalls || change.usual === null || value === null) {
    const few = kind === 'total' || n >= rule.leastCalls ? 'The weeks before have too few calls.' : tooFew(n, rule);
    return { ...compared, level: null, why: few };
  }
  const usual = change.usual;
  const level = levelOf(
    rule,
    (limit) => change.isReal && exceeds(rule, value, rule.is === 'above' ? usual * (1 + limit) : usual * (1 - limit)),
  );
  return { ...compared, level, why: null };
}

/** No calls at all is a number of calls too. */
const isEnough = (kind: FigureKind, n: number, { leastCalls, is }: AlarmRule) =>
  (kind === 'total' && is === 'below') || n >= leastCalls;

const tooFew = (n: number, { leastCalls }: AlarmRule) =>
  `${n} ${n === 1 ? 'call says' : 'calls say'} something of it; ${leastCalls} are asked for.`;

function exceeds({ is }: AlarmRule, value: number | null, limit: number): boolean {
  if (value === null) return false;
  return is === 'above' ? value > limit : value < limit;
}

function levelOf({ warning, critical }: AlarmRule, isOver: (limit: number) => boolean): AlarmLevel {
  if (critical !== null && isOver(critical)) return 'critical';
  return warning !== null && isOver(warning) ? 'warning' : 'ok';
}

function valueOf(kind: FigureKind, { n, sum, bins }: Sums): number | null {
  if (kind === 'total') return sum;
  if (kind === 'median') return medianOf(bins).value;
  return n === 0 ? null : sum / n;
}

interface Change {
  usual: number | null;
  /** Whether the interval of the difference leaves out none. */
  isReal: boolean;
}

/** A window against the same hours of the weeks before. */
function changeOf(kind: FigureKind, now: Sums, past: readonly Sums[]): Change {
  const all = added(past);
  if (kind === 'total') {
    const usual = all.sum / past.length;
    // Weeks differ by more than chance alone: the greater of both spreads counts, of the past and of now.
    const between = past.reduce((sum, week) => sum + (week.sum - usual) ** 2, 0) / (past.length - 1);
    const spread = Math.max(all.squares / past.length ** 2, between / past.length) + Math.max(now.squares, between);
    return { usual, isReal: Math.abs(now.sum - usual) > CHANGE_Z * Math.sqrt(spread) };
  }
  const usual = valueOf(kind, all);
  if (kind === 'median') {
    const [mine, theirs] = [medianOf(now.bins, CHANGE_Z).interval, medianOf(all.bins, CHANGE_Z).interval];
    return {
      usual,
      isReal: mine !== null && theirs !== null && (mine.lower > theirs.upper || mine.upper < theirs.lower),
    };
  }
  const { lower, upper } =
    kind === 'share'
      ? newcombe({ k: now.sum, n: now.n }, { k: all.sum, n: all.n }, CHANGE_Z)
      : meanDifference(now, all, CHANGE_Z);
  return { usual, isReal: lower > 0 || upper < 0 };
}
