import type { CatalogueEntry } from './catalogue-entry.ts';

/**
 * Whether a code can stand behind a bad ending: not one that is the bad ending itself, and not what callers do that no
 * agent could have handled. A code that the catalogue no longer has still can.
 */
export function mayLeadIn(catalogue: ReadonlyMap<string, CatalogueEntry>): (code: string) => boolean {
  return (code) => {
    const entry = catalogue.get(code);
    return entry === undefined || (!entry.ending && entry.klass !== 'behaviour');
  };
}
