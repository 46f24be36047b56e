import { f1, share } from '../figures.ts';
import { numbersOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';

/** M5: is a refused step told from a fault. The floor is "sorry words in the agent's next turn". */
export const refusalLines: Metric = (set, calls) => {
  const rows = calls.flatMap((call) => {
    const truth = numbersOf(call.labels['toolRefusalTurns']);
    const technical = new Set(
      call.analysis.signals.filter((signal) => signal.klass === 'technical').map((signal) => signal.turnIndex),
    );
    return call.analysis.toolResults.map((result) => ({
      group: call.group,
      truth: truth.has(result.turn),
      answer: result.refusal,
      technical: technical.has(result.turn),
    }));
  });
  const refused = rows.filter((row) => row.truth);
  const { of } = linesOf('M5 refusal', set);
  return [
    of('F1', rows, (some) => f1(some).f1, { floor: 0.783 }),
    of('precision', rows, (some) => f1(some).precision, { floor: 0.643 }),
    of('recall', rows, (some) => f1(some).recall, { floor: 1 }),
    of(
      'refusals flagged technical',
      refused,
      (some) => share(some.filter((row) => row.technical).length, some.length),
      { better: 'lower' },
    ),
  ];
};
