import type { Turn } from '../calls/call.ts';
import type { HeardCall } from './heard-call.ts';

/** The turn that is spoken at a moment of the recording; null where clocks can't be laid beside each other. */
export function turnAtMs(turns: readonly Turn[], { lagMs }: Pick<HeardCall, 'lagMs'>, ms: number): number | null {
  if (lagMs === null) return null;
  const at = ms - lagMs;
  const spoken = turns.find(({ startMs, endMs }) => startMs !== null && endMs !== null && startMs <= at && endMs >= at);
  return spoken?.index ?? null;
}
