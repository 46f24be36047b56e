import type { CallerHistory } from '../calls/caller-history.ts';
import { isFriction, toSignal } from './analyse-call.ts';
import { CATALOGUE, thresholdsOf } from './catalogue.ts';
import { repeatCallSameIntent, repeatDetections } from './detectors/repeat-call-same-intent.ts';
import { limit } from './needs.ts';
import { rateCall } from './rating.ts';
import type { CallAnalysis, Thresholds } from './signal.ts';

const { entry } = repeatCallSameIntent;
/** Signals of one turn and codes that are not computable stand in the order of the catalogue, as `analyseCall` lists them. */
const ORDER = new Map([...CATALOGUE.keys()].map((code, at) => [code, at]));
const inOrder = (a: { code: string }, b: { code: string }) => (ORDER.get(a.code) ?? 0) - (ORDER.get(b.code) ?? 0);

/** The parts of a reading that what the caller's other calls say goes into. */
export type HistoryParts = Pick<
  CallAnalysis,
  'signals' | 'notComputable' | 'requests' | 'counts' | 'outcome' | 'rating'
>;

/**
 * A reading as it is with what is known now of the caller's other calls: all that was read from the talk itself stays.
 * Null where nothing changes, so renewing twice changes nothing.
 */
export function renewHistory<Reading extends HistoryParts>(
  reading: Reading,
  history: CallerHistory,
  thresholds: Thresholds,
): Reading | null {
  const withinDays = limit(thresholdsOf(entry, thresholds), 'withinDays');
  const found = repeatDetections(history, reading.requests, withinDays);
  const now = Array.isArray(found) ? found.map((detection) => toSignal(entry, detection)) : [];
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
    rating: rateCall(signals, reading.outcome),
  };
}
