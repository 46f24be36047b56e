import { CATALOGUE } from '../signals/catalogue.ts';
import type { Signal } from '../signals/signal.ts';

const WEIGHT = { critical: 0, high: 1, medium: 2, low: 3 } as const;

/** The gravest first, each code once; what callers did is nothing to test an agent for. */
export function signalsByWeight<S extends Pick<Signal, 'code' | 'severity' | 'turnIndex'>>(signals: readonly S[]): S[] {
  const sorted = signals
    .filter(({ code }) => CATALOGUE.get(code)?.klass !== 'behaviour')
    .toSorted((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity] || a.turnIndex - b.turnIndex);
  return sorted.filter(({ code }, at) => sorted.findIndex((other) => other.code === code) === at);
}
