import { f1, meanSquaredError, spearman } from '../figures.ts';
import { numberOf, rowsOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';

/**
 * M8: is the bad turn found. A signal on the person's turn counts for the bot turn before it; a turn's score is the
 * highest confidence of its signals, 0 without one. Signals about the caller's own behaviour say nothing of the bot.
 */
export const frictionTurnLines: Metric = (set, calls) => {
  const rows = calls.flatMap((call) => {
    const scores = scoresOf(call);
    return rowsOf(call.labels['breakdown']).flatMap((label) => {
      const turn = numberOf(label['turn']);
      const votes = ['T', 'X'].reduce((sum, kind) => sum + (numberOf(label[kind]) ?? 0), 0);
      const all = numberOf(label['n']) ?? 0;
      if (turn === null || all === 0) return [];
      const score = scores.get(turn) ?? 0;
      return [{ group: call.group, majority: label['majority'], share: votes / all, score }];
    });
  });
  const flagged = (kinds: readonly string[]) => (some: readonly (typeof rows)[number][]) =>
    f1(some.map((row) => ({ truth: kinds.includes(String(row.majority)), answer: row.score > 0 })));
  const points = (some: readonly (typeof rows)[number][]) => some.map((row) => [row.score, row.share] as const);
  const { of } = linesOf('M8 friction turn', set);
  return [
    of('F1 of X', rows, (some) => flagged(['X'])(some).f1, { floor: 0.413 }),
    of('precision of X', rows, (some) => flagged(['X'])(some).precision),
    of('recall of X', rows, (some) => flagged(['X'])(some).recall),
    of('F1 of T+X', rows, (some) => flagged(['T', 'X'])(some).f1, { floor: 0.824 }),
    of('precision of T+X', rows, (some) => flagged(['T', 'X'])(some).precision),
    of('recall of T+X', rows, (some) => flagged(['T', 'X'])(some).recall),
    of('mean squared error', rows, (some) => meanSquaredError(points(some)), { floor: 0.035, better: 'lower' }),
    of('Spearman', rows, (some) => spearman(points(some)), { floor: 0.17 }),
  ];
};

function scoresOf(call: Parameters<Metric>[1][number]): Map<number, number> {
  const scores = new Map<number, number>();
  for (const signal of call.analysis.signals) {
    if (signal.klass === 'behaviour') continue;
    const { turns } = call.call;
    let at = signal.turnIndex;
    if (turns[at]?.role === 'caller') while (at > 0 && turns[at]?.role !== 'agent') at -= 1;
    scores.set(at, Math.max(scores.get(at) ?? 0, signal.confidence));
  }
  return scores;
}
