import type { CallAnalysis } from './call-analysis.ts';
import { CATALOGUE } from './catalogue.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { countedOutcome, type EndedCall } from './nobodys-failure.ts';
import { rateCall } from './rating.ts';
import type { Detection, NotComputable } from './signal.ts';
import { isFriction, toSignal } from './to-signal.ts';

/** Signals of one turn and codes that are not computable stand in the order of the catalogue, as `analyseCall` lists them. */
const ORDER = new Map([...CATALOGUE.keys()].map((code, at) => [code, at]));
const inOrder = (a: { code: string }, b: { code: string }) => (ORDER.get(a.code) ?? 0) - (ORDER.get(b.code) ?? 0);

/** The parts of a reading that a code goes into which no turn and no root cause is rated by. */
export type RenewedParts = Pick<CallAnalysis, 'notComputable' | 'counts' | 'rating'> & EndedCall;

/**
 * A reading as it is when one code finds this: all that was read from the talk itself stays. For codes that tell of
 * something beside the talk (`ending` in the catalogue). Null where nothing changes, so renewing twice changes nothing.
 */
export function renewCode<Reading extends RenewedParts>(
  reading: Reading,
  entry: CatalogueEntry,
  found: Detection[] | NotComputable,
): Reading | null {
  const now = Array.isArray(found) ? found.map((detection) => toSignal(entry, detection, null)) : [];
  const reason = Array.isArray(found) ? null : found.reason;
  const was = reading.signals.filter(({ code }) => code === entry.code);
  const reasonWas = reading.notComputable.find(({ code }) => code === entry.code)?.reason ?? null;
  const said = (signals: typeof was) => signals.map(({ turnIndex, detail }) => `${turnIndex} ${detail}`).join('\n');
  if (reason === reasonWas && said(was) === said(now)) return null;
  const others = reading.signals.filter(({ code }) => code !== entry.code);
  const signals = [...others, ...now].sort((a, b) => a.turnIndex - b.turnIndex || inOrder(a, b));
  const rest = reading.notComputable.filter(({ code }) => code !== entry.code);
  return {
    ...reading,
    signals,
    notComputable: reason === null ? rest : [...rest, { code: entry.code, reason }].sort(inOrder),
    counts: { ...reading.counts, frictions: signals.filter(isFriction).length },
    rating: rateCall(signals, countedOutcome(reading)),
  };
}
