import { newcombe, Z_95 } from '../statistics.ts';
import { FEWEST_CALLS } from './checkpoint.ts';
import type { Side } from './facts.ts';
import { medianDifference, medianOf } from './median-difference.ts';
import type { MetricDefinition } from './metrics.ts';

export const VERDICTS = ['changed', 'unchanged', 'unclear', 'not_enough_calls'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const MOVE_DIRECTIONS = ['better', 'worse', 'none'] as const;
export type MoveDirection = (typeof MOVE_DIRECTIONS)[number];

export interface Judgement {
  /** `after` minus `before`; null where a side is empty. */
  delta: number | null;
  verdict: Verdict;
  direction: MoveDirection;
  /** The 95 % interval of the difference; null under the fewest calls. */
  interval: { lower: number; upper: number } | null;
  /** Two-sided; 1 where nothing was judged. */
  p: number;
}

export function valueOf({ unit }: MetricDefinition, { n, k, sorted }: Side): number | null {
  if (n === 0) return null;
  return unit === 'share' ? k / n : medianOf(sorted);
}

/** Judges one measure on the calls of one moment. */
export function judge(definition: MetricDefinition, before: Side, after: Side): Judgement {
  const was = valueOf(definition, before);
  const is = valueOf(definition, after);
  const delta = was === null || is === null ? null : is - was;
  if (delta === null || Math.min(before.n, after.n) < FEWEST_CALLS) {
    return { delta, verdict: 'not_enough_calls', direction: 'none', interval: null, p: 1 };
  }
  const { lower, upper, p } = intervalOf(definition, before, after);
  const minimum = definition.unit === 'share' ? definition.minimum : definition.minimum * (was ?? 0);
  const verdict = verdictOf({ delta, lower, upper, minimum });
  return { delta, verdict, direction: directionOf(definition.better, verdict, delta), interval: { lower, upper }, p };
}

function verdictOf(reading: { delta: number; lower: number; upper: number; minimum: number }): Verdict {
  const { delta, lower, upper, minimum } = reading;
  const excludesNothing = lower > 0 || upper < 0;
  if (excludesNothing && Math.abs(delta) >= minimum) return 'changed';
  return lower >= -minimum && upper <= minimum ? 'unchanged' : 'unclear';
}

export function directionOf(better: MetricDefinition['better'], verdict: Verdict, delta: number): MoveDirection {
  if (verdict !== 'changed' || better === 'neither') return 'none';
  return delta > 0 === (better === 'higher') ? 'better' : 'worse';
}

function intervalOf({ unit }: MetricDefinition, before: Side, after: Side) {
  if (unit === 'ms') return medianDifference(after, before);
  return { ...newcombe(after, before), p: newcombeP(after, before) };
}

/** The p value that belongs to Newcombe's interval: the level at which it would just touch 0. */
export function newcombeP(a: { k: number; n: number }, b: { k: number; n: number }): number {
  const touches = (z: number) => {
    const { lower, upper } = newcombe(a, b, z);
    return lower <= 0 && upper >= 0;
  };
  if (touches(1e-6)) return 1;
  let inside = 8;
  let outside = 1e-6;
  if (!touches(inside)) return 2 * upperTail(inside);
  for (let step = 0; step < 50; step += 1) {
    const middle = (inside + outside) / 2;
    if (touches(middle)) inside = middle;
    else outside = middle;
  }
  return 2 * upperTail(inside);
}

/** The chance of a standard normal number above `z` (Abramowitz and Stegun 26.2.17, absolute error under 7.5e-8). */
export function upperTail(z: number): number {
  if (z < 0) return 1 - upperTail(-z);
  const t = 1 / (1 + 0.231_641_9 * z);
  const polynomial =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

/** Kept beside the interval in the rule's text, so that the two cannot drift apart. */
export const LEVEL = { z: Z_95, percent: 95 } as const;
