import type { CallBase } from '../call-base.ts';
import type { Claim } from '../claim.ts';
import type { LedgerFinding } from './finding.ts';
import { misreadFigures } from './misread-figures.ts';
import { CallRecord } from './record.ts';
import { toldOfNothing } from './told-of-nothing.ts';
import { misreadValues } from './told-values.ts';
import { unsourcedValues } from './unsourced.ts';
import { readValueClaims } from './value-claims.ts';

/** What the values of a call show: where words and record part, and what was read out. Empty where the record holds no tools. */
export interface Ledger {
  findings: LedgerFinding[];
  claims: Claim[];
}

export function readLedger(reading: CallBase): Ledger {
  if (reading.tools.length === 0) return { findings: [], claims: [] };
  const record = new CallRecord(reading);
  const findings = findIn(record);
  return { findings, claims: readValueClaims(record, findings) };
}

function findIn(record: CallRecord): LedgerFinding[] {
  const found = [...misreadValues(record), ...misreadFigures(record), ...toldOfNothing(record)];
  const known = new Set(found.map(({ turn }) => turn));
  return [...found, ...unsourcedValues(record).filter(({ turn }) => !known.has(turn))].sort((a, b) => a.turn - b.turn);
}
