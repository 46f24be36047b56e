import type { CallerHistory } from '../calls/repeat-calls.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { thresholdsOf } from './catalogue.ts';
import type { Thresholds } from './detector-input.ts';
import { repeatDetections } from './detectors/repeat-call-same-intent.ts';
import { REPEAT_CALL_SAME_INTENT as entry } from './entries/callers.ts';
import { limit } from './needs.ts';
import { type RenewedParts, renewCode } from './renew-code.ts';

/** A reading as it is with what is known now of the caller's other calls; null where nothing changes. */
export function renewHistory<Reading extends RenewedParts & Pick<CallAnalysis, 'requests'>>(
  reading: Reading,
  history: CallerHistory,
  thresholds: Thresholds,
): Reading | null {
  const withinDays = limit(thresholdsOf(entry, thresholds), 'withinDays');
  return renewCode(reading, entry, repeatDetections(history, reading.requests, withinDays));
}
