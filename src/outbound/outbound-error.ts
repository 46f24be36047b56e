export type OutboundErrorKind =
  /** The address, its scheme or its form may not be used. */
  | 'address_refused'
  /** No connection, or it broke. */
  | 'unreachable'
  | 'timeout'
  /** The answer was longer than the ceiling. */
  | 'too_large'
  /** The answer pointed elsewhere; redirects are never followed. */
  | 'redirected';

/** A request that brought no answer. The message is a sentence for people and names the host, never a path or a header. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly kind: OutboundErrorKind;
  /** What came of an answer that was too large: all of it, or what was read before the rest was left. */
  readonly sent: { bytes: number; isAll: boolean } | null;

  constructor(
    kind: OutboundErrorKind,
    message: string,
    { cause, sent = null }: { cause?: unknown; sent?: OutboundError['sent'] } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.sent = sent;
  }
}
