import type { CatalogueEntry } from './catalogue-entry.ts';
import { causeOf } from './causes.ts';
import type { CallReading } from './reading.ts';
import type { Detection, Signal } from './signal.ts';

export function isFriction(signal: Signal): boolean {
  return signal.lane !== null && signal.lane !== 'integrations';
}

export function toSignal(entry: CatalogueEntry, detection: Detection, reading: CallReading | null): Signal {
  return {
    code: entry.code,
    klass: entry.klass,
    lane: entry.lane,
    severity: entry.severity,
    confidence: detection.confidence,
    place: detection.place,
    turnIndex: detection.turnIndex,
    quote: detection.quote,
    detail: detection.detail,
    cause: causeOf(entry, detection, reading),
  };
}
