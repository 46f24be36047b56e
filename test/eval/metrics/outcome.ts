import { isUnsure, UNSURE_BELOW } from '../../../src/domain/calls/outcome-confidence.ts';
import type { Analysed } from '../analysed.ts';
import { accuracy, f1, macroF1, share } from '../figures.ts';
import { numbersOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';

const FLOORS: Record<string, { accuracy: number; macroF1: number }> = {
  star: { accuracy: 0.843, macroF1: 0.872 },
  tau_airline: { accuracy: 0.5, macroF1: 0.464 },
  tau_retail: { accuracy: 0.677, macroF1: 0.749 },
};
/** "Sorry", "unable" and their like in the agent's last turns, on star. */
const WORDS_FLOORS: Record<string, number> = { star: 0.937 };

/** M1: is the outcome right. An outcome that nobody can know is no class, so where there is a truth it is wrong. */
export const outcomeLines: Metric = (set, calls) => {
  const rows = judged(calls).map((call) => ({
    group: call.group,
    truth: String(call.labels['outcome']),
    answer: call.analysis.outcome ?? 'unknown',
  }));
  const floor = FLOORS[set];
  const { of } = linesOf('M1 outcome', set);
  return [
    of('macro-F1', rows, macroF1, { floor: floor?.macroF1 ?? null }),
    of('accuracy', rows, accuracy, { floor: floor?.accuracy ?? null }),
  ];
};

/** M18: of the outcomes that the analysis is sure of, how many are right; and how many it is sure of. */
export const confidenceLines: Metric = (set, calls) => {
  const rows = judged(calls).map((call) => ({
    group: call.group,
    sure: !isUnsure(call.analysis.outcomeConfidence),
    right: call.analysis.outcome === call.labels['outcome'],
  }));
  const { of } = linesOf('M18 confidence', set);
  return [
    of(
      `right at ${UNSURE_BELOW} and above`,
      rows.filter((row) => row.sure),
      (some) => share(some.filter((row) => row.right).length, some.length),
    ),
    of('share of calls that sure', rows, (some) => share(some.filter((row) => row.sure).length, some.length)),
  ];
};

/** M19: failures that no tool result shows, so that only what the agent says about them can tell. */
export const toldFailureLines: Metric = (set, calls) => {
  const rows = judged(calls)
    .filter((call) => call.labels['outcome'] === 'resolved' || call.labels['outcome'] === 'unresolved')
    .filter((call) => numbersOf(call.labels['toolRefusalTurns']).size === 0)
    .filter((call) => numbersOf(call.labels['toolErrorTurns']).size === 0)
    .map((call) => ({
      group: call.group,
      truth: call.labels['outcome'] === 'unresolved',
      answer: call.analysis.outcome !== 'resolved',
    }));
  const { of } = linesOf('M19 told failure', set);
  return [
    of('F1', rows, (some) => f1(some).f1, { floor: WORDS_FLOORS[set] ?? null }),
    of('precision', rows, (some) => f1(some).precision),
    of('recall', rows, (some) => f1(some).recall),
  ];
};

function judged(calls: readonly Analysed[]): Analysed[] {
  return calls.filter((call) => typeof call.labels['outcome'] === 'string');
}
