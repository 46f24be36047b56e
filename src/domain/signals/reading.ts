import { type ClaimReading, readClaims } from '../calls/claims.ts';
import type { LedgerFinding } from '../calls/ledger/finding.ts';
import { readFindings } from '../calls/ledger/read-ledger.ts';
import { type OutcomeReading, readOutcome } from '../calls/outcome.ts';
import { type CallBase, readTurns } from '../calls/read-turns.ts';
import type { DetectorInput } from './signal.ts';

/** The one reading of a call that all detectors share. */
export interface CallReading extends CallBase {
  claims: readonly ClaimReading[];
  /** What words, arguments and results say differently. */
  findings: readonly LedgerFinding[];
  outcome: OutcomeReading;
}

export function readCall(input: DetectorInput): CallReading {
  const base = readTurns(input);
  const claims = readClaims(base);
  const findings = base.phrasesMissing === null ? readFindings(base) : [];
  return { ...base, claims, findings, outcome: readOutcome(base, claims, findings) };
}
