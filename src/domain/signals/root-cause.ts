import type { Outcome } from '../vocabulary.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Signal } from './signal.ts';

const WEIGHT = { critical: 8, high: 4, medium: 2, low: 1 } as const;

/**
 * What best explains why a call ended badly: the heaviest signal by severity and confidence, an established cause counting double,
 * the earliest of equals. Null where the call ended well or was handed over, where nothing was found but the ending itself, and for
 * what the caller did: behaviour is never a finding.
 */
export function rootCauseOf(signals: readonly Signal[], outcome: Outcome | null): CallAnalysis['rootCause'] {
  return outcome === 'resolved' || outcome === 'transferred' ? null : heaviestSignal(signals);
}

/** By severity and confidence, an established cause counting double; null where nothing but the ending itself was found. */
export function heaviestSignal(signals: readonly Signal[]): CallAnalysis['rootCause'] {
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
