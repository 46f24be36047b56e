import { auc, f1 } from '../figures.ts';
import { numberOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';

/** M12: is this step wrong. A tool turn, the turn that calls it and the reply to it are one place. */
export const stepJudgeLines: Metric = (set, calls) => {
  const rows = calls.flatMap((call) => {
    const turn = numberOf(call.labels['judgedTurn']);
    if (turn === null) return [];
    const clear = call.analysis.signals
      .filter((signal) => signal.klass !== 'behaviour' && isSamePlace(call.call.turns, signal.turnIndex, turn))
      .reduce((left, signal) => left * (1 - Math.min(0.95, signal.confidence)), 1);
    const bad = call.labels['thumb'] === 'down';
    return [{ group: call.group, bad, truth: bad, score: 1 - clear, answer: clear < 1 }];
  });
  const { of } = linesOf('M12 step judge', set);
  return [
    of('F1 of down', rows, (some) => f1(some).f1, { floor: 0.544 }),
    of('precision', rows, (some) => f1(some).precision),
    of('recall', rows, (some) => f1(some).recall),
    of('AUC', rows, auc, { floor: 0.585 }),
  ];
};

type Turns = Parameters<Metric>[1][number]['call']['turns'];

/** A tool turn, the turn that calls it and the agent's spoken reply to it are one place; the next call is another. */
function isSamePlace(turns: Turns, a: number, b: number): boolean {
  if (a === b) return true;
  const [first, last] = a < b ? [a, b] : [b, a];
  return turns.slice(first, last + 1).every((turn, at) => {
    if (at === 0) return turn.toolCall !== null || turn.toolResult !== null;
    return turn.toolResult !== null || (turn.role === 'agent' && turn.toolCall === null && at === last - first);
  });
}
