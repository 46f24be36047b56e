import type { Outcome } from '../vocabulary.ts';

export interface Candidate {
  id: string;
  outcome: Outcome;
  callerTurns: number;
}

const ENDED_WELL: readonly Outcome[] = ['resolved', 'transferred'];

/** The usual one: of middle length among those that ended as preferred, or among all where none did. Ties: the first given. */
export function representativeOf(candidates: readonly Candidate[], prefers: 'well' | 'badly'): Candidate | null {
  const spoken = candidates.filter(({ callerTurns }) => callerTurns > 0);
  const preferred = spoken.filter(({ outcome }) => ENDED_WELL.includes(outcome) === (prefers === 'well'));
  const sorted = (preferred.length > 0 ? preferred : spoken).toSorted((a, b) => a.callerTurns - b.callerTurns);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
