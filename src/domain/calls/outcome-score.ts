import type { Outcome } from '../vocabulary.ts';
import type { Decision } from './decision.ts';
import type { Evidence } from './outcome-evidence.ts';

const BASE_SCORE: Record<Outcome, number> = {
  resolved: 0.1,
  transferred: 0.4,
  no_contact: 0.3,
  unresolved: 0.75,
  abandoned: 0.8,
};

/** Of an ending that nobody knows, nothing is known. */
const UNKNOWN_SCORE = 0.5;

/** Endings whose badness is known better than their outcome tells. */
const RULE_SCORE: Record<string, number> = {
  request_withdrawn: 0.3,
};

/** How badly the call ended, 0 to 1: the outcome and its confidence, then what the evidence leaves in doubt. Neither length nor counts go in. */
export function scoreOf(decision: Decision, evidence: Evidence): number {
  const base = RULE_SCORE[decision.rule] ?? (decision.outcome === null ? UNKNOWN_SCORE : BASE_SCORE[decision.outcome]);
  let score = 0.5 + (base - 0.5) * (0.5 + decision.confidence / 2);
  if (evidence.failure !== null) score += 0.08;
  if (evidence.brokenClaim !== null) score += 0.12;
  if (evidence.callerClosed !== null) score -= 0.04;
  if (evidence.agentAskedLast && evidence.callerClosed === null) score += 0.04;
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000;
}
