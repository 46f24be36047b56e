import type { CatalogueEntry, CauseRow, CauseTarget } from './catalogue-entry.ts';
import type { CallReading } from './reading.ts';
import type { Cause, Detection } from './signal.ts';

/** Stands between the code of a row and its variant. */
const VARIANT = ':';

/**
 * The first cause of the code's table whose evidence is all present on this call; a code that is its own cause (a spoken
 * placeholder) names itself; null leaves the cause open.
 */
export function causeOf(entry: CatalogueEntry, detection: Detection, reading: CallReading | null): Cause | null {
  for (const row of entry.causes) {
    const found = row.evidence(detection.facts ?? {}, detection, reading);
    if (found === null) continue;
    const { detail, variant } = typeof found === 'string' ? { detail: found, variant: '' } : found;
    const code = variant === '' ? row.code : `${row.code}${VARIANT}${variant}`;
    return { code, label: labelOf(row, variant), detail, category: row.category, party: row.party };
  }
  if (!entry.selfCause) return null;
  return {
    code: entry.code,
    label: entry.selfLabel ?? entry.title,
    detail: detection.detail,
    category: 'itself',
    party: partyOf(detection),
  };
}

function partyOf(detection: Detection): Cause['party'] {
  return detection.place.kind === 'platform' ? 'platform' : 'agent';
}

/** A cause as its code alone tells it, long after the call was read. */
export interface KnownCause {
  label: string;
  /** Null for a code that is its own cause, and for one that the catalogue no longer has. */
  row: CauseRow | null;
  /** What has to change; null where that is the place of the signal. */
  target: CauseTarget | null;
  /** The code without its variant: what two causes at one target share. */
  kind: string;
}

export function knownCause(entry: CatalogueEntry, code: string): KnownCause {
  const kind = kindOfCause(code);
  const variant = code.slice(kind.length + VARIANT.length);
  const row = entry.causes.find((candidate) => candidate.code === kind) ?? null;
  if (row !== null) return { label: labelOf(row, variant), row, target: row.target?.(variant) ?? null, kind };
  return { label: code === entry.code ? (entry.selfLabel ?? entry.title) : code, row: null, target: null, kind: code };
}

/** The code of the row of the cause table, without its variant. */
export function kindOfCause(code: string): string {
  const at = code.indexOf(VARIANT);
  return at < 0 ? code : code.slice(0, at);
}

function labelOf(row: CauseRow, variant: string): string {
  return variant !== '' && row.labelOf ? row.labelOf(variant) : row.label;
}
