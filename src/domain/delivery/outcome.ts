import { LONGEST_RETRY_AFTER_MS } from './schedule.ts';

/** What a try brought: an answer, an answer that says no in words, or the sentence that says why there was none. */
export type TryResult =
  | {
      status: number;
      retryAfterMs: number | null;
      /** What the receiver calls the message, for those beneath it. */
      ref?: string;
    }
  | {
      status: number;
      refused: string;
      /** Whether it says no to all that goes there: then it is asked once a day. */
      isLasting: boolean;
    }
  | {
      status: null;
      error: string;
      /** Whether it is our own fault, which is not held against the address. */
      isOurs?: boolean;
    };

/** What it means: got through, try again (with what the receiver asked to wait), or never again. */
export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'failed'; error: string; retryAfterMs: number | null; isOurs?: boolean }
  | { kind: 'gone'; error: string };

/** Statuses with which a receiver may ask to be left alone for a while. */
const WAITS = new Set([429, 503]);

export function judgeTry(result: TryResult): Verdict {
  if (result.status === null) {
    const { error, isOurs } = result;
    return { kind: 'failed', error, retryAfterMs: null, ...(isOurs === undefined ? {} : { isOurs }) };
  }
  if ('refused' in result) {
    return { kind: 'failed', error: result.refused, retryAfterMs: result.isLasting ? LONGEST_RETRY_AFTER_MS : null };
  }
  const { status } = result;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', error: 'The receiver answered 410 Gone.' };
  const asks = WAITS.has(status) ? result.retryAfterMs : null;
  const wait = asks === null ? '' : ` and asked to wait ${Math.ceil(asks / 1000)} seconds`;
  return { kind: 'failed', error: `The receiver answered ${status}${wait}.`, retryAfterMs: asks };
}
