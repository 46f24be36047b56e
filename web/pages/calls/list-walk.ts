import { createStore } from '../../client/store.ts';
import type { CallFilters } from './filters.ts';

/** The list that the reader came from, so that next, previous and back stay within its filters. */
export const lastList = createStore<{ filters: CallFilters; ids: string[] } | null>(null);

export interface Neighbours {
  filters: CallFilters | null;
  previous: string | null;
  next: string | null;
}

export function neighboursOf(callId: string): Neighbours {
  const list = lastList.get();
  const at = list?.ids.indexOf(callId) ?? -1;
  if (!list || at < 0) return { filters: null, previous: null, next: null };
  return { filters: list.filters, previous: list.ids[at - 1] ?? null, next: list.ids[at + 1] ?? null };
}
