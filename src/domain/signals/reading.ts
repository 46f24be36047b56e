import { type ClaimReading, readClaims } from '../calls/claims.ts';
import { type OutcomeReading, readOutcome } from '../calls/outcome.ts';
import { type CallBase, readTurns } from '../calls/read-turns.ts';
import type { DetectorInput } from './signal.ts';

/** The one reading of a call that all detectors share. */
export interface CallReading extends CallBase {
  claims: readonly ClaimReading[];
  outcome: OutcomeReading;
}

export function readCall(input: DetectorInput): CallReading {
  const base = readTurns(input);
  const claims = readClaims(base);
  return { ...base, claims, outcome: readOutcome(base, claims) };
}
