/** Figures of classification, and their intervals by resampling groups. */

export interface Pair {
  group: string;
  truth: string;
  answer: string;
}

export function accuracy(pairs: readonly Pair[]): number {
  return share(pairs.filter((pair) => pair.truth === pair.answer).length, pairs.length);
}

/** Mean F1 over the classes that are present in the truth. */
export function macroF1(pairs: readonly Pair[]): number {
  const classes = [...new Set(pairs.map((pair) => pair.truth))];
  const scores = classes.map(
    (one) => f1(pairs.map((pair) => ({ truth: pair.truth === one, answer: pair.answer === one }))).f1,
  );
  return share(
    scores.reduce((sum, score) => sum + score, 0),
    scores.length,
  );
}

export interface Flag {
  truth: boolean;
  answer: boolean;
}

export function f1(flags: readonly Flag[]): { precision: number; recall: number; f1: number } {
  const hits = flags.filter((flag) => flag.truth && flag.answer).length;
  const precision = share(hits, flags.filter((flag) => flag.answer).length);
  const recall = share(hits, flags.filter((flag) => flag.truth).length);
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** Chance that a bad call scores above a good one; half for equals. */
export function auc(scores: readonly { score: number; bad: boolean }[]): number {
  const bad = scores.filter((one) => one.bad);
  const good = scores.filter((one) => !one.bad);
  let wins = 0;
  for (const one of bad)
    for (const other of good) wins += one.score > other.score ? 1 : one.score === other.score ? 0.5 : 0;
  return bad.length * good.length === 0 ? Number.NaN : wins / (bad.length * good.length);
}

/** The largest share of bad ones that a cut of the score finds while at least `precision` of what it flags is bad. */
export function recallAtPrecision(scores: readonly { score: number; bad: boolean }[], precision: number): number {
  const bad = scores.filter((one) => one.bad).length;
  let best = 0;
  for (const cut of new Set(scores.map((one) => one.score))) {
    const flagged = scores.filter((one) => one.score >= cut);
    const hits = flagged.filter((one) => one.bad).length;
    if (hits / flagged.length >= precision) best = Math.max(best, hits);
  }
  return bad === 0 ? Number.NaN : best / bad;
}

/** Cohen's kappa with squared distances between the classes, which are numbers; NaN where chance alone would agree. */
export function quadraticKappa(pairs: readonly Pair[]): number {
  const distance = (a: string, b: string) => (Number(a) - Number(b)) ** 2;
  let seen = 0;
  let expected = 0;
  for (const one of pairs) {
    seen += distance(one.truth, one.answer);
    for (const other of pairs) expected += distance(one.truth, other.answer) / pairs.length;
  }
  return expected === 0 ? Number.NaN : 1 - seen / expected;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function meanSquaredError(points: readonly (readonly [number, number])[]): number {
  return mean(points.map(([a, b]) => (a - b) ** 2));
}

/** Rank correlation; equals share their mean rank. NaN where one side never varies. */
export function spearman(points: readonly (readonly [number, number])[]): number {
  const a = ranksOf(points.map((point) => point[0]));
  const b = ranksOf(points.map((point) => point[1]));
  const [middleA, middleB] = [mean(a), mean(b)];
  let both = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (const [at, rank] of a.entries()) {
    const [x, y] = [rank - middleA, (b[at] ?? 0) - middleB];
    both += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return squaresA === 0 || squaresB === 0 ? Number.NaN : both / Math.sqrt(squaresA * squaresB);
}

function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).sort((a, b) => a.value - b.value);
  const ranks = values.map(() => 0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && order[to]?.value === order[from]?.value) to += 1;
    for (let one = from; one < to; one += 1) ranks[order[one]?.at ?? 0] = (from + to - 1) / 2 + 1;
    from = to;
  }
  return ranks;
}

const RESAMPLES = 400;

/** 95 % interval by drawing groups with replacement; the random start is fixed, so the same data give the same interval. */
export function interval<T extends { group: string }>(
  rows: readonly T[],
  figure: (rows: readonly T[]) => number,
): [number, number] {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const list = groups.get(row.group);
    if (list === undefined) groups.set(row.group, [row]);
    else list.push(row);
  }
  const all = [...groups.values()];
  let state = 20_240_501;
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return all[Math.floor((state / 2 ** 32) * all.length)] ?? [];
  };
  const figures = Array.from({ length: RESAMPLES }, () => figure(all.flatMap(draw)))
    // A draw that holds one class alone has no such figure.
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const at = (part: number) => figures[Math.min(figures.length - 1, Math.floor(figures.length * part))] ?? 0;
  return [at(0.025), at(0.975)];
}

export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
