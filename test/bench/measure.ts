/** What every bench module exports: `run({ sizes, rounds })`. */
export interface BenchOptions {
  sizes: number[];
  rounds: number;
}

/** One line of output. Times in milliseconds; `ratio` is what the goal is set on. */
export interface BenchResult {
  metric: string;
  sizes: number[];
  ours: number[];
  baseline: number[];
  ratio: number[];
  /** Slope of log(time) over log(size); null under two sizes. */
  exponent: number | null;
  counters: Record<string, number | string>;
  /** The goal and the correctness gate, both: a fast wrong answer is a failure. */
  ok: boolean;
  /** Why `ok` is false. */
  misses: string[];
}

/** Slope of a straight line through log(time) over log(size): 0 is constant, 1 linear. */
export function exponentOf(sizes: number[], times: number[]): number | null {
  if (sizes.length < 2) return null;
  const xs = sizes.map(Math.log);
  const ys = times.map(Math.log);
  const meanX = mean(xs);
  const meanY = mean(ys);
  const over = xs.reduce((sum, x, index) => sum + (x - meanX) * ((ys[index] ?? 0) - meanY), 0);
  const under = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  return round(over / under, 3);
}

/** Growth is judged over two decades only: over less, noise decides the slope. */
export function growsBeyond(sizes: number[], exponent: number | null, max: number): boolean {
  if (exponent === null || Math.max(...sizes) < 100 * Math.min(...sizes)) return false;
  return exponent > max;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** Runs both sides alternately and pairs them: the ratio is the median over pairs, so that a busy machine slows both. */
export async function alternate(
  rounds: number,
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ ours: number; baseline: number; ratio: number; spread: [number, number] }> {
  const pairs: { ours: number; baseline: number }[] = [];
  for (let at = 0; at < rounds; at += 1) pairs.push({ ours: await ours(), baseline: await baseline() });
  const ratios = pairs.map((pair) => pair.ours / pair.baseline);
  return {
    ours: round(median(pairs.map((pair) => pair.ours)), 3),
    baseline: round(median(pairs.map((pair) => pair.baseline)), 3),
    ratio: round(median(ratios), 4),
    spread: [round(Math.min(...ratios), 4), round(Math.max(...ratios), 4)],
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
