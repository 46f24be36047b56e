import type { CallBase } from '../calls/call-base.ts';
import { type ClaimReading, readClaims } from '../calls/claims.ts';
import type { LedgerFinding } from '../calls/ledger/finding.ts';
import { readLedger } from '../calls/ledger/read-ledger.ts';
import { type OutcomeReading, readOutcome } from '../calls/outcome.ts';
import { readTurns } from '../calls/read-turns.ts';
import type { DetectorInput } from './detector-input.ts';
import type { Claim } from './signal.ts';

/** The one reading of a call that all detectors share. */
export interface CallReading extends CallBase {
  claims: readonly ClaimReading[];
  /** What words, arguments and results say differently. */
  findings: readonly LedgerFinding[];
  /** Values that the agent read out, each with the result that holds it or contradicts it. */
  readOut: readonly Claim[];
  outcome: OutcomeReading;
}

export function readCall(input: DetectorInput): CallReading {
  const base = readTurns(input);
  const claims = readClaims(base);
  const ledger = base.phrasesMissing === null ? readLedger(base) : { findings: [], claims: [] };
  const { findings, claims: readOut } = ledger;
  return { ...base, claims, findings, readOut, outcome: readOutcome(base, claims, findings) };
}
