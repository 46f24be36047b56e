import type { LedgerCode, LedgerFinding } from '../calls/ledger/finding.ts';
import { storedText } from '../calls/quotes.ts';
import { placeAt, toolPlace } from './places.ts';
import type { CallReading } from './reading.ts';
import type { Detection } from './signal.ts';

/** The ledger's findings of a code, as detections: the place is the tool at which words and record part, else what the agent said. */
export function ledgerDetections(reading: CallReading, code: LedgerCode): Detection[] {
  return reading
    .findings()
    .filter((finding) => finding.code === code)
    .map((finding) => toDetection(reading, finding));
}

export function toDetection(reading: CallReading, finding: LedgerFinding): Detection {
  return {
    turnIndex: finding.turn,
    quote: isIn(reading, finding) ? finding.quote : '',
    detail: finding.detail,
    place: finding.use === null ? placeAt(reading, finding.turn) : toolPlace(finding.use),
    confidence: finding.confidence,
    facts: finding.facts,
  };
}

function isIn(reading: CallReading, finding: LedgerFinding): boolean {
  const turn = reading.turnAt.get(finding.turn);
  if (turn === undefined) return false;
  return (
    turn.text.includes(finding.quote) ||
    (turn.toolResult !== null && storedText(turn.toolResult.body).includes(finding.quote))
  );
}
