import {
  ERROR_CODES,
  ERROR_TYPES,
  type ErrorCode,
  type ErrorEnvelope,
  type ErrorStatus,
  type Quota,
} from '../contract/error.ts';

/**
 * The one error of the operations: a code of the closed list and a sentence for people. Each surface translates it
 * once. Anything else that is thrown is our own fault and shows as `internal_error`.
 */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  /** The field at fault, or null. */
  readonly param: string | null;
  readonly quota: Quota | undefined;
  /** When the same request may succeed; the answer says so in its header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { param?: string; quota?: Quota; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.status = ERROR_CODES[code];
    this.param = options.param ?? null;
    this.quota = options.quota;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The envelope of the contract, the same on every surface. */
export function toEnvelope(failure: Failure, requestId: string | null): ErrorEnvelope {
  return {
    error: {
      type: ERROR_TYPES[failure.status],
      code: failure.code,
      message: failure.message,
      param: failure.param,
      requestId,
      ...(failure.quota ? { quota: failure.quota } : {}),
    },
  };
}

export function internalError(requestId: string | null): Failure {
  return new Failure(
    'internal_error',
    `Something went wrong on our side. Please quote the request id${requestId ? ` ${requestId}` : ''}.`,
  );
}
