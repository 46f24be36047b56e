import type { Outcome } from '../vocabulary.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { CATALOGUE } from './catalogue.ts';
import type { CallReading } from './reading.ts';
import type { Signal } from './signal.ts';

/**
 * The rating of a call by a stated rule: 1 with a critical signal, or a high one on a call that ended badly; 2 with any
 * other signal of medium severity or more, or where the call ended badly; 3 otherwise. Behaviour of the caller never counts.
 */
export function rateCall(signals: readonly Signal[], outcome: Outcome | null): number {
  const ours = signals.filter((signal) => signal.klass !== 'behaviour');
  const endedBadly = outcome === 'unresolved' || outcome === 'abandoned';
  if (ours.some((signal) => signal.severity === 'critical')) return 1;
  if (endedBadly && ours.some((signal) => signal.severity === 'high')) return 1;
  return endedBadly || ours.some((signal) => signal.severity !== 'low') ? 2 : 3;
}

/**
 * The rating of each agent turn: 1 with a critical or high signal on it, 2 with any other, and by its length as one
 * listens to it: more words than are spoken in `longMs` at an ordinary pace make it 2, twice as many 1. What only tells how the call
 * ended rates no turn.
 */
export function rateTurns(
  reading: CallReading,
  signals: readonly Signal[],
  longMs: number,
): CallAnalysis['turnRatings'] {
  const worst = new Map<number, number>();
  for (const signal of signals) {
    if (signal.klass === 'behaviour' || CATALOGUE.get(signal.code)?.ending === true) continue;
    const rating = signal.severity === 'critical' || signal.severity === 'high' ? 1 : 2;
    worst.set(signal.turnIndex, Math.min(rating, worst.get(signal.turnIndex) ?? 3));
  }
  return reading.agent.map((turn) => {
    const spokenMs = (turn.words.length / WORDS_PER_MINUTE) * 60_000;
    const byLength = spokenMs > 2 * longMs ? 1 : spokenMs > longMs ? 2 : 3;
    return { turn: turn.index, rating: Math.min(byLength, worst.get(turn.index) ?? 3) };
  });
}

/** The middle of what speech synthesis usually speaks; lengths are judged by words, since few records have exact times. */
const WORDS_PER_MINUTE = 155;
