import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schemas } from '../../client/api.ts';
import { signalsQuery } from './queries.ts';

const NONE: Schemas['Signal'][] = [];

/** The catalogue of what can be noticed on a call. */
export function useSignals(): Schemas['Signal'][] {
  return useQuery(signalsQuery()).data?.data ?? NONE;
}

/** What people call signals, by their codes. */
export function useSignalTitles(): ReadonlyMap<string, string> {
  const signals = useSignals();
  return useMemo(() => new Map(signals.map(({ code, title }) => [code, title])), [signals]);
}
