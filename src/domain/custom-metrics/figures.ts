import { type Interval, meanDifference, newcombe, type Sample, wilson, Z_95 } from '../statistics.ts';
import type { MetricAnswer } from '../vocabulary.ts';

export interface MetricFigure {
  /** The share of yes, or the mean; null where there is no value, or where the metric answers otherwise. */
  value: number | null;
  /** 95 %; null where there are too few values. */
  interval: Interval | null;
}

/** @param sample values of some calls; of yes and no the sum counts the yes. */
export function figureOfValues(answer: MetricAnswer, sample: Sample): MetricFigure {
  const { n, sum, squares } = sample;
  if (n === 0 || (answer !== 'yes_no' && answer !== 'number')) return { value: null, interval: null };
  if (answer === 'yes_no') return { value: sum / n, interval: wilson({ k: sum, n }) };
  const mean = sum / n;
  if (n < 2) return { value: mean, interval: null };
  const variance = Math.max(0, (squares - (sum * sum) / n) / (n - 1));
  const half = Z_95 * Math.sqrt(variance / n);
  return { value: mean, interval: { lower: mean - half, upper: mean + half } };
}

/** How one group of calls differs from another, where both have enough values to say. */
export function differenceOfValues(
  answer: MetricAnswer,
  sample: Sample,
  other: Sample,
): (Interval & { difference: number }) | null {
  if (answer === 'yes_no') {
    if (sample.n === 0 || other.n === 0) return null;
    return newcombe({ k: sample.sum, n: sample.n }, { k: other.sum, n: other.n });
  }
  if (answer !== 'number' || sample.n < 2 || other.n < 2) return null;
  return meanDifference(sample, other);
}
