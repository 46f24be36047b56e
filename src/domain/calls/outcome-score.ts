import type { Outcome } from '../vocabulary.ts';
import type { CallBase } from './call-base.ts';
import type { Decision } from './decision.ts';
import type { LedgerFinding } from './ledger/finding.ts';
import type { Evidence } from './outcome-evidence.ts';
import { groundOfRefusal } from './refusal-grounds.ts';

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
  // A refusal by the agent's own rules after a look-up is the right answer more often than not.
  refused_by_rule: 0.4,
  request_withdrawn: 0.3,
  record_differs: 0.95,
};

/** What the ledger adds where it did not decide the outcome: a doubt, no proof. */
const DOUBTS: Record<string, number> = {
  not_available: 0.2,
  state_differs: 0.2,
  never_said: 0.15,
  quoted_differs: 0.25,
};

/** How badly the call ended, 0 to 1: the outcome and its confidence, then the doubts of the ledger. Neither length nor counts go in. */
export function scoreOf(
  reading: CallBase,
  decision: Decision,
  evidence: Evidence,
  findings: readonly LedgerFinding[],
): number {
  const base = RULE_SCORE[decision.rule] ?? (decision.outcome === null ? UNKNOWN_SCORE : BASE_SCORE[decision.outcome]);
  let score = 0.5 + (base - 0.5) * (0.5 + decision.confidence / 2);
  if (decision.rule === 'refused_and_accepted') score += refusalDoubt(reading, decision);
  if (decision.rule === 'record_differs' && (evidence.differs?.confidence ?? 1) < 0.8) score -= 0.15;
  if (decision.rule !== 'record_differs') score += Math.max(0, ...findings.map((finding) => DOUBTS[finding.rule] ?? 0));
  if (evidence.failure !== null) score += 0.08;
  if (evidence.brokenClaim !== null) score += 0.12;
  if (evidence.callerClosed !== null) score -= 0.04;
  if (evidence.agentAskedLast && evidence.callerClosed === null) score += 0.04;
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000;
}

/** Refusing without ever having looked anything up weighs more than refusing what was looked up. */
function refusalDoubt(reading: CallBase, decision: Decision): number {
  const turn = decision.turns.find((one) => one !== null) ?? null;
  if (turn === null || reading.tools.length === 0) return reading.configuration?.tools.length ? 0.05 : 0;
  return groundOfRefusal(reading, turn) === 'none' ? 0.05 : -0.1;
}
