import { LEVEL } from './verdict.ts';

/** Calls of one intent on both sides, with how many of them got it done. */
export interface MixStratum {
  intentSlug: string;
  before: { k: number; n: number };
  after: { k: number; n: number };
}

export interface MixReading {
  /** What the later version would show with the earlier one's mix of intents, over intents that both have. */
  reweighted: number;
  /** Difference within intents (Mantel–Haenszel weights), with its 95 % interval. */
  delta: number;
  lower: number;
  upper: number;
  /** Share of the earlier version's calls whose intent the later one has too. */
  covered: number;
}

/**
 * Tells a change of the agent from a change of what people call about. The interval is Sato's for the Mantel–Haenszel
 * risk difference: it holds with few calls an intent. Null where the sides share no intent.
 */
export function sameMix(strata: readonly MixStratum[]): MixReading | null {
  const shared = strata.filter(({ before, after }) => before.n > 0 && after.n > 0);
  const all = sum(strata, ({ before }) => before.n);
  const covered = sum(shared, ({ before }) => before.n);
  if (covered === 0) return null;
  const reweighted = sum(shared, ({ before, after }) => (before.n / covered) * (after.k / after.n));
  const weight = sum(shared, ({ before, after }) => (before.n * after.n) / (before.n + after.n));
  const delta =
    sum(shared, ({ before, after }) => (after.k * before.n - before.k * after.n) / (before.n + after.n)) / weight;
  const half = LEVEL.z * Math.sqrt(Math.max(0, satoVariance(shared, delta, weight)));
  return { reweighted, delta, lower: delta - half, upper: delta + half, covered: covered / all };
}

function satoVariance(strata: readonly MixStratum[], delta: number, weight: number): number {
  const first = sum(strata, ({ before: b, after: a }) => {
    const n = a.n + b.n;
    return (b.n ** 2 * a.k - a.n ** 2 * b.k + (a.n * b.n * (a.n - b.n)) / 2) / n ** 2;
  });
  const second = sum(strata, ({ before: b, after: a }) => {
    const n = a.n + b.n;
    return (a.k * (b.n - b.k) + b.k * (a.n - a.k)) / (2 * n);
  });
  return (delta * first + second) / weight ** 2;
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
