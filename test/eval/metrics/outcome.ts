import { accuracy, macroF1 } from '../figures.ts';
import { linesOf, type Metric } from '../line.ts';

const FLOORS: Record<string, { accuracy: number; macroF1: number }> = {
  star: { accuracy: 0.843, macroF1: 0.872 },
  tau_airline: { accuracy: 0.5, macroF1: 0.464 },
  tau_retail: { accuracy: 0.677, macroF1: 0.749 },
};

/** M1: is the outcome right. */
export const outcomeLines: Metric = (set, calls) => {
  const rows = calls
    .filter((call) => typeof call.labels['outcome'] === 'string')
    .map((call) => ({ group: call.group, truth: String(call.labels['outcome']), answer: call.analysis.outcome }));
  const floor = FLOORS[set];
  const { of } = linesOf('M1 outcome', set);
  return [
    of('macro-F1', rows, macroF1, { floor: floor?.macroF1 ?? null }),
    of('accuracy', rows, accuracy, { floor: floor?.accuracy ?? null }),
  ];
};
