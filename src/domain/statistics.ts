/** The normal quantile of a two-sided 95 % interval. */
export const Z_95 = 1.959963984540054;

export interface Interval {
  lower: number;
  upper: number;
}

/** A count out of a total. */
export interface Proportion {
  k: number;
  n: number;
}

/** A part of a whole; of nothing it is 0. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/**
 * Wilson's score interval of a proportion: sound for few calls and for shares near 0 and 1, where `k / n` alone misleads.
 * Nothing counted is no knowledge: (0, 1).
 */
export function wilson({ k, n }: Proportion, z = Z_95): Interval {
  if (n <= 0) return { lower: 0, upper: 1 };
  const hits = Math.min(Math.max(k, 0), n);
  const share = hits / n;
  const z2 = z * z;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (z / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return {
    lower: hits === 0 ? 0 : Math.max(0, centre - half),
    upper: hits === n ? 1 : Math.min(1, centre + half),
  };
}

/**
 * Newcombe's interval for the difference `a - b` of two independent proportions (his method 10, from Wilson's intervals).
 * Either side empty is no knowledge: (-1, 1).
 */
export function newcombe(a: Proportion, b: Proportion, z = Z_95): Interval & { difference: number } {
  if (a.n <= 0 || b.n <= 0) return { difference: 0, lower: -1, upper: 1 };
  const shareA = Math.min(1, a.k / a.n);
  const shareB = Math.min(1, b.k / b.n);
  const ofA = wilson(a, z);
  const ofB = wilson(b, z);
  const difference = shareA - shareB;
  return {
    difference,
    lower: Math.max(-1, difference - Math.hypot(shareA - ofA.lower, ofB.upper - shareB)),
    upper: Math.min(1, difference + Math.hypot(ofA.upper - shareA, shareB - ofB.lower)),
  };
}

/** A sample by its size, its sum and the sum of its squares. */
export interface Sample {
  n: number;
  sum: number;
  squares: number;
}

/** The interval of the difference of two means by their own spreads; a side under two values is no knowledge. */
export function meanDifference(a: Sample, b: Sample, z = Z_95): Interval & { difference: number } {
  if (a.n < 2 || b.n < 2) return { difference: 0, lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  const difference = a.sum / a.n - b.sum / b.n;
  const half = z * Math.sqrt(variance(a) / a.n + variance(b) / b.n);
  return { difference, lower: difference - half, upper: difference + half };
}

function variance({ n, sum, squares }: Sample): number {
  return Math.max(0, (squares - (sum * sum) / n) / (n - 1));
}
