/** How well one partition of things meets another. */

export interface Placed {
  group: string;
  truth: string;
  answer: string;
}

interface Table {
  /** A row an answer, a column a truth. */
  counts: number[][];
  rows: number[];
  columns: number[];
  total: number;
}

export function purity(placed: readonly Placed[]): number {
  const { counts, total } = tableOf(placed);
  return sum(counts.map((row) => Math.max(...row))) / total;
}

/** Harmonic mean of purity and of the purity of the truths over the answers. */
export function purityF1(placed: readonly Placed[]): number {
  const inverse = purity(placed.map(({ group, truth, answer }) => ({ group, truth: answer, answer: truth })));
  const own = purity(placed);
  return own + inverse === 0 ? 0 : (2 * own * inverse) / (own + inverse);
}

/** Share of things on the diagonal after the best assignment of answers to truths, one to one. */
export function assignedAccuracy(placed: readonly Placed[]): number {
  const { counts, total } = tableOf(placed);
  return sum(assignBest(counts).map((column, row) => counts[row]?.[column] ?? 0)) / total;
}

/** Mutual information over the mean of both entropies. */
export function normalisedMutualInformation(placed: readonly Placed[]): number {
  const { counts, rows, columns, total } = tableOf(placed);
  let shared = 0;
  for (const [row, list] of counts.entries()) {
    for (const [column, count] of list.entries()) {
      if (count > 0)
        shared += (count / total) * Math.log((count * total) / ((rows[row] ?? 0) * (columns[column] ?? 0)));
    }
  }
  const entropy = (sizes: number[]) => -sum(sizes.map((size) => (size / total) * Math.log(size / total)));
  const mean = (entropy(rows) + entropy(columns)) / 2;
  return mean === 0 ? 1 : shared / mean;
}

export function adjustedRandIndex(placed: readonly Placed[]): number {
  const { counts, rows, columns, total } = tableOf(placed);
  const pairs = (sizes: number[]) => sum(sizes.map((size) => (size * (size - 1)) / 2));
  const both = pairs(counts.flat());
  const expected = (pairs(rows) * pairs(columns)) / pairs([total]);
  const most = (pairs(rows) + pairs(columns)) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}

function tableOf(placed: readonly Pick<Placed, 'truth' | 'answer'>[]): Table {
  const answers = [...new Set(placed.map(({ answer }) => answer))];
  const truths = [...new Set(placed.map(({ truth }) => truth))];
  const rowOf = new Map(answers.map((answer, at) => [answer, at]));
  const columnOf = new Map(truths.map((truth, at) => [truth, at]));
  const counts = answers.map(() => truths.map(() => 0));
  for (const { truth, answer } of placed) {
    const row = counts[rowOf.get(answer) ?? 0];
    const column = columnOf.get(truth) ?? 0;
    if (row !== undefined) row[column] = (row[column] ?? 0) + 1;
  }
  return {
    counts,
    rows: counts.map(sum),
    columns: truths.map((_, column) => sum(counts.map((row) => row[column] ?? 0))),
    total: placed.length,
  };
}

const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);

/**
 * The assignment of rows to columns, one to one, with the greatest sum (the Hungarian method with potentials).
 * @returns for each row its column, or -1 where there are more rows than columns.
 */
export function assignBest(gains: readonly (readonly number[])[]): number[] {
  const size = Math.max(gains.length, gains[0]?.length ?? 0);
  const cost = (row: number, column: number) => -(gains[row - 1]?.[column - 1] ?? 0);
  const rowPotential = new Float64Array(size + 1);
  const columnPotential = new Float64Array(size + 1);
  const rowOf = new Int32Array(size + 1);
  for (let row = 1; row <= size; row += 1) {
    const before = new Int32Array(size + 1);
    const slack = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
    const used = new Uint8Array(size + 1);
    rowOf[0] = row;
    let column = 0;
    do {
      used[column] = 1;
      const current = rowOf[column] ?? 0;
      let least = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let other = 1; other <= size; other += 1) {
        if (used[other] === 1) continue;
        const reduced = cost(current, other) - (rowPotential[current] ?? 0) - (columnPotential[other] ?? 0);
        if (reduced < (slack[other] ?? 0)) {
          slack[other] = reduced;
          before[other] = column;
        }
        if ((slack[other] ?? 0) < least) {
          least = slack[other] ?? 0;
          next = other;
        }
      }
      for (let other = 0; other <= size; other += 1) {
        if (used[other] === 1) {
          const held = rowOf[other] ?? 0;
          rowPotential[held] = (rowPotential[held] ?? 0) + least;
          columnPotential[other] = (columnPotential[other] ?? 0) - least;
        } else {
          slack[other] = (slack[other] ?? 0) - least;
        }
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const previous = before[column] ?? 0;
      rowOf[column] = rowOf[previous] ?? 0;
      column = previous;
    }
  }
  const assigned = gains.map(() => -1);
  for (let column = 1; column <= size; column += 1) {
    const row = (rowOf[column] ?? 0) - 1;
    if (row < gains.length && column <= (gains[0]?.length ?? 0)) assigned[row] = column - 1;
  }
  return assigned;
}
