import { f1, share } from '../figures.ts';
import { numbersOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';

/** M4: are failed results found. By construction of the sets this is a regression test. */
export const toolFailureLines: Metric = (set, calls) => {
  const turns = calls.flatMap((call) => {
    const truth = numbersOf(call.labels['toolErrorTurns']);
    return call.analysis.toolResults.map((result) => ({
      group: call.group,
      truth: truth.has(result.turn),
      answer: result.ok === false,
    }));
  });
  const counts = calls.map((call) => {
    const failed = numbersOf(call.labels['toolErrorTurns']).size;
    const found = call.analysis.counts.toolFailures;
    return { group: call.group, truth: failed > 0, answer: found > 0, exact: failed === found };
  });
  const { of } = linesOf('M4 tool failure', set);
  return [
    of('precision a tool turn', turns, (rows) => f1(rows).precision, { floor: 1 }),
    of('recall a tool turn', turns, (rows) => f1(rows).recall, { floor: 1 }),
    of('F1 a tool turn', turns, (rows) => f1(rows).f1, { floor: 1 }),
    of('F1 a call', counts, (rows) => f1(rows).f1, { floor: 1 }),
    of('count exact', counts, (rows) => share(rows.filter((row) => row.exact).length, rows.length), { floor: 1 }),
  ];
};
