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
  return share(wins, bad.length * good.length);
}

const RESAMPLES = 400;

/** 95 % interval by drawing groups with replacement; the random start is fixed, so the same data give the same interval. */
export function interval<T extends { group: string }>(
  rows: readonly T[],
  figure: (rows: T[]) => number,
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
  const figures = Array.from({ length: RESAMPLES }, () => figure(all.flatMap(draw))).sort((a, b) => a - b);
  return [figures[Math.floor(RESAMPLES * 0.025)] ?? 0, figures[Math.ceil(RESAMPLES * 0.975) - 1] ?? 0];
}

export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
