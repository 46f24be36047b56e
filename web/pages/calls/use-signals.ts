import { useMemo } from 'react';
import { api, type Schemas } from '../../client/api.ts';

const NONE: Schemas['Signal'][] = [];

/** The catalogue of what can be noticed on a call. */
export function useSignals(): Schemas['Signal'][] {
  return api.useQuery('get', '/v1/signals', { params: { query: { limit: 100 } } }).data?.data ?? NONE;
}

/** What people call signals, by their codes. */
export function useSignalTitles(): ReadonlyMap<string, string> {
  const signals = useSignals();
  return useMemo(() => new Map(signals.map(({ code, title }) => [code, title])), [signals]);
}
