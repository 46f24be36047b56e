import type { CatalogueEntry, CauseRow, CauseTarget } from '../signals/catalogue-entry.ts';
import { knownCause } from '../signals/causes.ts';
import { CAUSE_CALLS, ESTABLISHED_SHARE, LOST_SHARE } from './cause.ts';
import { isRemembered } from './confirm.ts';
import type { GroupMemory } from './facts.ts';
import type { Candidate } from './nominate-causes.ts';
import { type Lead, readLeadKey } from './outcome-step.ts';

/** The code that stands for an outcome issue, with what its calls say about why. */
export interface Named {
  candidate: Candidate;
  entry: CatalogueEntry;
  /** The commonest cause at one place, where its evidence establishes it. */
  cause: {
    code: string;
    label: string;
    row: CauseRow | null;
    /** Where the cause lies; null where that is the place of the signal. */
    target: CauseTarget | null;
    calls: number;
    of: number;
  } | null;
  /** Where the signal was mostly noticed; null where no one place holds most of it. */
  place: Lead['place'] | null;
}

export interface LeadCount extends Lead {
  calls: number;
}

/** Bad calls of a step by what was noticed on them early. */
export function readLeads(causes: readonly { code: string; calls: number }[]): LeadCount[] {
  return causes.flatMap(({ code: key, calls }) => {
    const lead = readLeadKey(key);
    return lead ? [{ ...lead, calls }] : [];
  });
}

/**
 * Of the nominated codes the surest whose cause the evidence establishes, else the surest: lift nominates, and only
 * evidence establishes. Null where nothing is nominated.
 */
export function nameOutcome(
  candidates: readonly Candidate[],
  leads: readonly LeadCount[],
  memory: GroupMemory,
  entryOf: (code: string) => CatalogueEntry,
): Named | null {
  const named = candidates
    .filter(({ nominated }) => nominated)
    .map((candidate) => weigh(candidate, leads, memory, entryOf(candidate.code)));
  return named.find(({ cause }) => cause !== null) ?? named[0] ?? null;
}

/** As the row of an outcome issue keeps it; on the wire the cause of an outcome issue has no code. */
export function storedCause(code: string, causeCode: string): string {
  return `${code}/${causeCode}`;
}

function weigh(candidate: Candidate, leads: readonly LeadCount[], memory: GroupMemory, entry: CatalogueEntry): Named {
  const own = candidate.with.k;
  const ofCode = leads.filter(({ code }) => code === candidate.code).toSorted(commonestFirst);
  const place = ofCode.find(({ calls }) => calls >= own * ESTABLISHED_SHARE)?.place ?? null;
  const possible = ofCode.filter(({ causeCode }) => causeCode !== '' || entry.selfCause);
  const [top] = possible;
  if (!top) return { candidate, entry, cause: null, place };
  const causeCode = top.causeCode === '' ? entry.code : top.causeCode;
  const remembers = isRemembered({ memory }) && memory.causeEstablished;
  const before = remembers && memory.causeCode === storedCause(candidate.code, causeCode);
  if (top.calls < CAUSE_CALLS || top.calls < own * (before ? LOST_SHARE : ESTABLISHED_SHARE)) {
    return { candidate, entry, cause: null, place };
  }
  const { label, row, target } = knownCause(entry, causeCode);
  return {
    candidate,
    entry,
    cause: { code: causeCode, label, row, target, calls: top.calls, of: own },
    place: top.place,
  };
}

function commonestFirst(a: LeadCount, b: LeadCount): number {
  if (a.calls !== b.calls) return b.calls - a.calls;
  const [left, right] = [a, b].map(({ causeCode, place }) => `${causeCode} ${place.kind} ${place.id}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
