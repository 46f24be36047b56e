import type { CallAnalysis } from './call-analysis.ts';

/** What is told where words stood that are kept no longer. */
export const WORDS_GONE = 'The words of this call are kept no longer.';

type Stored = Omit<CallAnalysis, 'signals' | 'notComputable' | 'visits'>;

/**
 * A reading whose call's words are kept no longer: how the call ended and what was counted stay. Each field is named, so
 * that a new one does not slip through.
 */
export function withoutWords(analysis: Stored): Stored {
  const { outcomeReason, byRules, handOff, endStep, path, responseTimes } = analysis;
  return {
    analyserVersion: analysis.analyserVersion,
    outcome: analysis.outcome,
    outcomeConfidence: analysis.outcomeConfidence,
    outcomeReason: { ...outcomeReason, text: WORDS_GONE },
    ...(byRules && {
      byRules: {
        ...byRules,
        outcomeReason: { ...byRules.outcomeReason, text: WORDS_GONE },
        signals: [],
        observations: [],
        notComputable: [],
        requests: [],
        objective: '',
      },
    }),
    ...(handOff !== undefined && { handOff: handOff && { ...handOff, text: WORDS_GONE } }),
    badEndingScore: analysis.badEndingScore,
    callerSpoke: analysis.callerSpoke,
    ...(analysis.answeredBy && { answeredBy: analysis.answeredBy }),
    objective: '',
    requests: [],
    personaSlug: analysis.personaSlug,
    counts: analysis.counts,
    observations: [],
    toolResults: analysis.toolResults,
    claims: [],
    ...(endStep && { endStep }),
    ...(path && { path }),
    timing: analysis.timing,
    ...(responseTimes !== undefined && { responseTimes }),
    rating: analysis.rating,
    turnRatings: analysis.turnRatings,
    rootCause: analysis.rootCause,
  };
}
