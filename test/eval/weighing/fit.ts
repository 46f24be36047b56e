import { ALWAYS, WEIGHED, type Weights, weigh } from '../../../src/domain/calls/weighing/weigh.ts';

export interface Example {
  marks: readonly string[];
  truth: string;
}

/** Marks of fewer calls teach nothing that holds elsewhere. */
const CALLS_AT_LEAST = 4;
const STEPS = 120;
const RATE = 0.5;
/** Draws every weight towards nothing, so that no mark decides alone. */
const PENALTY = 20;

/** Softmax regression by AdaGrad from zero: the same calls in the same order give the same figures. */
export function fit(examples: readonly Example[]): Weights {
  const known = examples.filter(({ truth }) => WEIGHED.some((one) => one === truth));
  const counts = new Map<string, number>();
  for (const mark of known.flatMap(({ marks }) => marks)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  const names = [ALWAYS, ...[...counts].flatMap(([mark, count]) => (count >= CALLS_AT_LEAST ? [mark] : []))];
  const weights = Object.fromEntries(names.map((name) => [name, WEIGHED.map(() => 0)]));
  const history = Object.fromEntries(names.map((name) => [name, WEIGHED.map(() => 1e-6)]));
  for (let step = 0; step < STEPS; step += 1) descend(weights, history, slopes(known, weights));
  return weights;
}

type Table = Record<string, number[]>;

function slopes(examples: readonly Example[], weights: Table): Table {
  const table: Table = Object.fromEntries(
    Object.entries(weights).map(([name, row]) => [name, row.map((weight) => (name === ALWAYS ? 0 : PENALTY * weight))]),
  );
  for (const { marks, truth } of examples) {
    const likely = weigh(marks, weights);
    for (const name of [ALWAYS, ...marks]) {
      const row = table[name];
      if (row === undefined) continue;
      for (const [at, one] of WEIGHED.entries()) row[at] = (row[at] ?? 0) + (likely[at] ?? 0) - (one === truth ? 1 : 0);
    }
  }
  return table;
}

function descend(weights: Table, history: Table, table: Table): void {
  for (const [name, row] of Object.entries(weights)) {
    for (const at of row.keys()) {
      const slope = table[name]?.[at] ?? 0;
      const sum = (history[name]?.[at] ?? 0) + slope * slope;
      (history[name] ?? [])[at] = sum;
      row[at] = (row[at] ?? 0) - (RATE * slope) / Math.sqrt(sum);
    }
  }
}
