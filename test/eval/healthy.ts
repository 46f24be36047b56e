import type { Analysed } from './analysed.ts';

export interface HealthyRow {
  set: string;
  code: string;
  calls: number;
  of: number;
  /** On more than one healthy call in twenty: the code must be looked at. */
  often: boolean;
}

const HEALTHY: Record<string, (call: Analysed) => boolean> = {
  tau_airline: (call) => call.labels['outcome'] === 'resolved',
  tau_retail: (call) => call.labels['outcome'] === 'resolved',
  eva_progression: (call) => call.labels['rating'] === 3,
  eva_faithfulness: (call) => call.labels['rating'] === 3,
  multidogo: () => true,
  star: (call) => call.labels['outcome'] === 'resolved',
};
const OFTEN = 0.05;

/** How often each code fires on the calls of a set on which nothing went wrong. */
export function healthyRows(set: string, all: readonly Analysed[]): HealthyRow[] {
  const isHealthy = HEALTHY[set];
  if (isHealthy === undefined) return [];
  const calls = all.filter(isHealthy);
  const counts = new Map<string, number>();
  for (const call of calls) {
    const signals = call.analysis.signals.map((signal) => signal.code);
    // What is only worth noting has its own row, so that a candidate is not read as a finding.
    const noted = call.analysis.observations.map((one) => `${one.rule} (observation)`);
    for (const code of new Set([...signals, ...noted])) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => ({
    set,
    code,
    calls: count,
    of: calls.length,
    often: count / calls.length > OFTEN,
  }));
}
