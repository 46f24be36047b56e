import type { CatalogueEntry } from './catalogue-entry.ts';

/** As what a call keeps a code, and what it takes to be found. */
export interface KeptAs {
  kept: 'signal' | 'observation';
  note: string | null;
}

export function keptAs({ observation, suspected, needs }: CatalogueEntry): KeptAs {
  if (observation === true) {
    return { kept: 'observation', note: 'Noted on the call, in its observations. It is never a signal or an issue.' };
  }
  if (needs.includes('reader')) return { kept: 'signal', note: 'Found only where a model reads the calls.' };
  if (suspected === true) {
    return { kept: 'signal', note: 'What rules find is an observation until a model that decides confirms it.' };
  }
  return { kept: 'signal', note: null };
}
