import type { LatencyFigures } from '../calls/call.ts';
import { percentile } from '../calls/timing.ts';
import type { CatalogueEntry, Detector } from './catalogue-entry.ts';
import { limit } from './needs.ts';
import type { Place } from './signal.ts';

/** One detector for each part of the platform whose latency it reports: the slowest tenth is over its budget. */
export function latencyDetector(given: {
  entry: CatalogueEntry;
  part: keyof LatencyFigures;
  what: string;
  place: Place;
}): Detector {
  return {
    entry: given.entry,
    detect(reading, _input, thresholds) {
      const values = reading.call.latency?.[given.part] ?? [];
      if (values.length < limit(thresholds, 'answers'))
        return { reason: `The platform gives too few latency figures for ${given.what} on this call.` };
      const p90 = percentile(values, 0.9) ?? 0;
      if (p90 <= limit(thresholds, 'p90Ms')) return [];
      return [
        {
          turnIndex: reading.lastIndex,
          quote: '',
          detail: `In the slowest tenth of the answers ${given.what} took ${Math.round(p90)} ms; the budget is ${limit(thresholds, 'p90Ms')} ms.`,
          place: given.place,
          confidence: 0.8,
        },
      ];
    },
  };
}
