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

  constructor(kind: OutboundErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
