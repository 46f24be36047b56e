import type { CatalogueEntry } from './catalogue-entry.ts';
import type { Cause, Detection } from './signal.ts';

/** The first cause of the code's table whose evidence is all present on this call; null leaves the cause open. */
export function causeOf(entry: CatalogueEntry, detection: Detection): Cause | null {
  for (const row of entry.causes) {
    const detail = row.evidence(detection.facts ?? {}, detection);
    if (detail !== null) return { code: row.code, label: row.label, detail, category: row.category, party: row.party };
  }
  return null;
}
