import { isGrpcServiceError } from '@temporalio/client';

/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const AWAY: ReadonlySet<number> = new Set([4, 14]);

/** Whether a call of Temporal failed because the server does not answer, whatever was asked. */
export function isTemporalAway(error: unknown): boolean {
  for (let depth = 0, at = error; at instanceof Error && depth < 8; depth += 1, at = at.cause) {
    if (isGrpcServiceError(at) && AWAY.has(at.code)) return true;
  }
  return false;
}
