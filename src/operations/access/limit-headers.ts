import type { Entry } from '../../db/system/limits.ts';
import type { RawRequest } from '../admission.ts';

type Limit = Pick<Entry, 'limit' | 'remaining' | 'resetSeconds' | 'retryAfterSeconds'>;

/** What an answer says of the rate limit that its request drew from. */
export function limitHeaders({ limit, remaining, resetSeconds, retryAfterSeconds }: Limit): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
    ...(retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
}

export function showLimit(request: RawRequest, limit: Limit): void {
  Object.assign(request.headers, limitHeaders(limit));
}
