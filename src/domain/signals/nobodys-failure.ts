import type { Outcome } from '../vocabulary.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { SPAM_CALL, TEST_CALL, WRONG_NUMBER } from './entries/callers.ts';

export type EndedCall = Pick<
  CallAnalysis,
  'outcome' | 'outcomeReason' | 'signals' | 'observations' | 'readIntent' | 'answeredBy'
>;

const NOBODYS: ReadonlySet<string> = new Set([WRONG_NUMBER.code, SPAM_CALL.code, TEST_CALL.code]);
const NAMED = /^(?:wrong number|spam|sales|test) ?(?:call)?$/i;

/**
 * A call on which nobody failed, whatever its outcome: somebody else was meant, something was sold, the agent was tried,
 * or another machine was on the line. It is in no figure of what ended badly, nor in the base of one.
 */
export function isNobodysFailure(reading: EndedCall): boolean {
  const { outcome, outcomeReason, signals, observations, readIntent, answeredBy } = reading;
  if (outcome !== 'unresolved' && outcome !== 'abandoned') return false;
  if (outcomeReason.rule === WRONG_NUMBER.code || answeredBy?.by === 'agent') return true;
  if (readIntent !== undefined && NAMED.test(readIntent.replaceAll('_', ' '))) return true;
  // What words alone suggest holds where nothing else went wrong.
  const wentWrong = signals.some(({ klass }) => klass !== 'behaviour');
  return observations.some(({ rule, basis }) => NOBODYS.has(rule) && (basis === 'model' || !wentWrong));
}

/** How a call ended, as figures count it; null also where that is nobody's doing. */
export function countedOutcome(reading: EndedCall): Outcome | null {
  return isNobodysFailure(reading) ? null : reading.outcome;
}
