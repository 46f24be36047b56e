/** What a try brought: an answer, or the sentence that says why there was none. */
export type TryResult = { status: number; retryAfterMs: number | null } | { status: null; error: string };

/** What it means: got through, try again (with what the receiver asked to wait), or never again. */
export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'failed'; error: string; retryAfterMs: number | null }
  | { kind: 'gone'; error: string };

/** Statuses with which a receiver may ask to be left alone for a while. */
const WAITS = new Set([429, 503]);

export function judgeTry(result: TryResult): Verdict {
  if (result.status === null) return { kind: 'failed', error: result.error, retryAfterMs: null };
  const { status } = result;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', error: 'The receiver answered 410: it wants no more.' };
  const asks = WAITS.has(status) ? result.retryAfterMs : null;
  const wait = asks === null ? '' : ` and asked to wait ${Math.ceil(asks / 1000)} seconds`;
  return { kind: 'failed', error: `The receiver answered ${status}${wait}.`, retryAfterMs: asks };
}
