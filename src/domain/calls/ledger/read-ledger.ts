import type { CallBase } from '../read-turns.ts';
import { misreportedAmounts, untoldAmounts } from './amounts.ts';
import { unsupportedArguments } from './arguments.ts';
import type { LedgerFinding } from './finding.ts';
import { droppedParts, untouchedThings } from './objects.ts';
import { misreadResults } from './read-outs.ts';
import { CallRecord } from './record.ts';
import { refutedStatements } from './statements.ts';

/** Everything that the values of a call show; empty where the record holds no tools. */
export function readFindings(reading: CallBase): LedgerFinding[] {
  if (reading.tools.length === 0) return [];
  const record = new CallRecord(reading);
  const amounts = misreportedAmounts(record);
  return [
    ...amounts,
    ...(amounts.length > 0 ? [] : untoldAmounts(record)),
    ...misreadResults(record),
    ...unsupportedArguments(record),
    ...untouchedThings(record),
    ...droppedParts(record),
    ...refutedStatements(record),
  ].sort((a, b) => a.turn - b.turn);
}
