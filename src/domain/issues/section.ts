import type { CatalogueEntry } from '../signals/catalogue-entry.ts';
import type { Section } from '../vocabulary.ts';
import type { EstablishedCause } from './cause.ts';
import { type Base, type GroupFacts, type OutcomeSums, ownCallsOf, without } from './facts.ts';
import { readMetric } from './metric.ts';
import {
  atPlace,
  BEHAVIOUR_NOTE,
  improveNote,
  NOT_ESTABLISHED_NOTE,
  noMetricNote,
  OUTSIDE_NOTE,
  tooSmallNote,
  WITHDRAWN_NOTE,
} from './sentences.ts';

export interface SectionInput {
  group: GroupFacts;
  entry: CatalogueEntry;
  confirmed: boolean;
  cause: EstablishedCause | null;
  affected: OutcomeSums;
  base: Base;
}

/** Where an issue stands by itself, before it is folded under another. */
export function ownSection(input: SectionInput): { section: Section; sectionNote: string | null } {
  const { group, entry, confirmed, cause, affected, base } = input;
  const own = ownCallsOf(group);
  if (own === 0) return { section: 'hidden', sectionNote: WITHDRAWN_NOTE };
  if (entry.klass === 'behaviour') return { section: 'hidden', sectionNote: BEHAVIOUR_NOTE };
  if (!confirmed) return { section: 'hidden', sectionNote: tooSmallNote(own, entry.fact) };
  if (entry.section === 'fix') {
    if (cause === null) return { section: 'not_established', sectionNote: NOT_ESTABLISHED_NOTE };
    return { section: 'fix', sectionNote: cause.row?.outside === true ? OUTSIDE_NOTE : null };
  }
  const metric = entry.metric ?? '';
  const reading = readMetric(metric, affected, without(base.total, affected));
  if (!reading?.moves) return { section: 'hidden', sectionNote: noMetricNote(reading, metric) };
  if (cause === null) return { section: 'not_established', sectionNote: NOT_ESTABLISHED_NOTE };
  return { section: 'improve', sectionNote: improveNote(recommend(group, entry, cause), reading) };
}

/**
 * With an established cause the change that its row names; without, what to check, which is never a change. A code that
 * is its own cause has one sentence for both.
 */
export function recommend(group: GroupFacts, entry: CatalogueEntry, cause: EstablishedCause | null): string {
  const { label } = group.place;
  return atPlace(cause?.row?.recommendation ?? entry.check, label, cause?.target.label ?? label);
}
