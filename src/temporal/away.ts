import { fieldOf, isJsonObject } from '../domain/json.ts';

/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const AWAY: ReadonlySet<unknown> = new Set([4, 14]);

/**
 * Whether a call of Temporal failed because the server does not answer, whatever was asked. The errors of gRPC are told by
 * their shape, so that a process that only looks at one need not load the SDK.
 */
export function isTemporalAway(error: unknown): boolean {
  for (let depth = 0, at = error; at instanceof Error && depth < 8; depth += 1, at = at.cause) {
    if (AWAY.has(fieldOf(at, 'code')) && isOfGrpc(at)) return true;
  }
  return false;
}

const isOfGrpc = (error: Error) =>
  typeof fieldOf(error, 'details') === 'string' && isJsonObject(fieldOf(error, 'metadata'));
