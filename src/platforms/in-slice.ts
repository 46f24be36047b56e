import type { ListCallsQuery } from './port.ts';

type Bounds = Pick<ListCallsQuery, 'from' | 'to' | 'slice'>;

/** The tightest bounds that a platform may be asked within: what lies on them is sorted out here. */
export function boundsOf({ from, to, slice }: Bounds): { from: string | null; to: string | null } {
  return { from: slice?.since ?? from, to: slice?.before ?? to };
}

/** Whether a call belongs to the slice that is asked for. @param sortedAtMs what the platform sorts it by; null where it has none */
export function isInSlice({ slice }: Pick<Bounds, 'slice'>, sortedAtMs: number | null): boolean {
  if (!slice) return true;
  if (sortedAtMs === null) return slice.since === null;
  return (
    (slice.since === null || sortedAtMs >= Date.parse(slice.since)) &&
    (slice.before === null || sortedAtMs < Date.parse(slice.before))
  );
}
