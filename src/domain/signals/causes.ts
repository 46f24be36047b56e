import type { CatalogueEntry } from './catalogue-entry.ts';
import type { Cause, Detection } from './signal.ts';

/**
 * The first cause of the code's table whose evidence is all present on this call; a code that is its own cause (a spoken
 * placeholder) names itself; null leaves the cause open.
 */
export function causeOf(entry: CatalogueEntry, detection: Detection): Cause | null {
  for (const row of entry.causes) {
    const detail = row.evidence(detection.facts ?? {}, detection);
    if (detail !== null) return { code: row.code, label: row.label, detail, category: row.category, party: row.party };
  }
  if (!entry.selfCause) return null;
  return {
    code: entry.code,
    label: entry.title,
    detail: detection.detail,
    category: 'itself',
    party: partyOf(detection),
  };
}

function partyOf(detection: Detection): Cause['party'] {
  return detection.place.kind === 'platform' ? 'platform' : 'agent';
}
