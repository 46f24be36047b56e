export type IdentityErrorKind =
  /** The provider does not answer, or not as OpenID Connect asks: the same sign-in may work later. */
  | 'provider_away'
  /** What came back proves nothing: forged, replayed, too old, or meant for somebody else. */
  | 'not_proved'
  /** The provider, or the person there, said no. */
  | 'declined';

/** A sign-in that brought nobody. The message is a sentence for the person who signs in and holds no secret. */
export class IdentityError extends Error {
  override name = 'IdentityError';
  readonly kind: IdentityErrorKind;

  constructor(kind: IdentityErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
