import { WATCH_STATES, type WatchState } from '../../../src/domain/vocabulary.ts';

/** What the list of watches is narrowed to, as it stands in the address; the name is the API's. */
export interface WatchFilters {
  state?: WatchState;
}

export function readWatchFilters(search: Record<string, unknown>): WatchFilters {
  const state = WATCH_STATES.find((each) => each === search['state']);
  return state ? { state } : {};
}
