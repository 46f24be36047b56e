import type { CatalogueEntry } from './catalogue-entry.ts';

type Given = Pick<CatalogueEntry, 'code' | 'title' | 'klass' | 'lane' | 'severity' | 'needs' | 'isNot' | 'check'> &
  Partial<CatalogueEntry>;

/** A row of the catalogue; what is left out has the commonest value. Phrase and threshold codes are noise below two in a hundred, critical ones below one. */
export function entry(given: Given): CatalogueEntry {
  return {
    thresholds: {},
    fact: false,
    ending: false,
    noiseFloor: given.fact === true ? 0 : given.severity === 'critical' ? 0.01 : 0.02,
    section: 'fix',
    metric: null,
    selfCause: false,
    causes: [],
    meaning: given.needs.some((need) => need.startsWith('words_of_')),
    ...given,
  };
}
