import { auc, f1, recallAtPrecision } from '../figures.ts';
import { linesOf, type Metric } from '../line.ts';

const CODES = new Set(['claimed_without_tool', 'claimed_after_failure', 'result_misreported', 'tool_missing']);
const FLOORS: Record<string, number> = { tau_airline: 0.506, tau_retail: 0.726 };

/** M3: does a claimed success hide a failure. Calls that were handed over are left out. */
export const falseSuccessLines: Metric = (set, calls) => {
  const rows = calls
    .filter((call) => call.labels['outcome'] !== 'transferred' && typeof call.labels['reward'] === 'number')
    .map((call) => {
      const truth = call.labels['reward'] === 0;
      return {
        group: call.group,
        bad: truth,
        score: call.analysis.badEndingScore,
        signal: { truth, answer: call.analysis.signals.some((signal) => CODES.has(signal.code)) },
        outcome: { truth, answer: call.analysis.outcome !== 'resolved' },
      };
    });
  const { of } = linesOf('M3 false success', set);
  return [
    of('AUC of badEndingScore', rows, auc, { floor: FLOORS[set] ?? null }),
    of('recall at precision 0.7', rows, (some) => recallAtPrecision(some, 0.7)),
    of('precision by signal', rows, (some) => f1(some.map((row) => row.signal)).precision),
    of('recall by signal', rows, (some) => f1(some.map((row) => row.signal)).recall),
    of('precision by outcome', rows, (some) => f1(some.map((row) => row.outcome)).precision),
    of('recall by outcome', rows, (some) => f1(some.map((row) => row.outcome)).recall),
  ];
};
