import type { Outcome } from '../vocabulary.ts';
import { CATALOGUE } from './catalogue.ts';
import type { CallAnalysis, Signal } from './signal.ts';

const WEIGHT = { critical: 8, high: 4, medium: 2, low: 1 } as const;

/**
 * The signal that best explains why a call ended badly: the heaviest by severity and confidence, an established cause
 * counting double, the earliest of equals. Null where the call did not end badly, where nothing was found but the ending
 * itself, and for what the caller did: behaviour is never a finding.
 */
export function rootCauseOf(signals: readonly Signal[], outcome: Outcome): CallAnalysis['rootCause'] {
  if (outcome === 'resolved' || outcome === 'transferred') return null;
  let best: Signal | null = null;
  let most = 0;
  for (const signal of signals) {
    if (signal.klass === 'behaviour' || CATALOGUE.get(signal.code)?.ending === true) continue;
    const weight = WEIGHT[signal.severity] * signal.confidence * (signal.cause === null ? 1 : 2);
    if (weight > most) {
      most = weight;
      best = signal;
    }
  }
  if (best === null) return null;
  return {
    turn: best.turnIndex,
    klass: best.klass,
    code: best.code,
    category: best.cause?.category ?? null,
    party: best.cause?.party ?? null,
  };
}
