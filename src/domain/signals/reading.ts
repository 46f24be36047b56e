import type { CallBase } from '../calls/call-base.ts';
import type { Claim } from '../calls/claim.ts';
import { type ClaimReading, readClaims } from '../calls/claims.ts';
import type { LedgerFinding } from '../calls/ledger/finding.ts';
import { readLedger } from '../calls/ledger/read-ledger.ts';
import { type OutcomeReading, readOutcome } from '../calls/outcome.ts';
import { readTurns } from '../calls/read-turns.ts';
import { once } from '../once.ts';
import type { DetectorInput } from './detector-input.ts';

/** The one reading of a call that all detectors share. */
export interface CallReading extends CallBase {
  claims: () => readonly ClaimReading[];
  /** What words, arguments and results say differently. */
  findings: () => readonly LedgerFinding[];
  /** Values that the agent read out, each with the result that holds it or contradicts it. */
  readOut: () => readonly Claim[];
  outcome: () => OutcomeReading;
}

/**
 * The turns are read at once; claims, findings and the outcome only when somebody asks, since watches seldom do. Functions
 * give them and no accessors, because an object literal with accessors is of a shape of its own each time: every look at a
 * reading would be slow, and the shapes keep the calls in memory.
 */
export function readCall(input: DetectorInput): CallReading {
  const base = readTurns(input);
  const claims = once(() => readClaims(base));
  const ledger = once(() => (base.phrasesMissing === null ? readLedger(base) : { findings: [], claims: [] }));
  const outcome = once(() => readOutcome(base, claims()));
  return {
    ...base,
    claims,
    findings: () => ledger().findings,
    readOut: () => ledger().claims,
    outcome,
  };
}
