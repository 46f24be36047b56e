import type { Json } from '../domain/json.ts';
import { readRetryAfter } from '../domain/retry-after.ts';
import { MAX_BYTES, type Outbound, type OutboundResponse } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { PlatformConnection } from './platform-connection.ts';
import { PlatformError } from './port.ts';

const LONGEST_WAIT_MS = 3_600_000;
/** A list can't be asked for less than one item: that one is read to its end. */
const ONE_ITEM = { readAtMost: 1024 ** 3, timeoutMs: 300_000 };

export interface PlatformRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  json?: Json;
  /** What is being done, for messages: "listing calls". */
  doing: string;
  /** True where success has no body. */
  mayBeEmpty?: boolean;
  /** Of a list that has so many items at most, which may be large: only their own short fields are kept. */
  items?: number;
  /** Whole request; where it is not given, what `Outbound` allows. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

export interface PlatformClient {
  /** @throws PlatformError for every answer that is not a success with a JSON body. */
  send(connection: PlatformConnection, request: PlatformRequest): Promise<Json>;
}

/** How a platform wants to be shown the key. */
export type KeyHeader = (apiKey: string) => Record<string, string>;

const asBearer: KeyHeader = (apiKey) => ({ authorization: `Bearer ${apiKey}` });

export function createPlatformClient(
  outbound: Outbound,
  platformLabel: string,
  keyHeader: KeyHeader = asBearer,
): PlatformClient {
  return {
    async send(connection, { method, path, json, doing, mayBeEmpty, items, timeoutMs, signal }) {
      const url = addressOf(connection.baseUrl, path);
      const headers = keyHeader(connection.apiKey);
      await connection.account?.enter();
      let answer: OutboundResponse;
      try {
        answer = await outbound.request({
          method,
          url,
          headers,
          longer: items === undefined ? 'measured' : 'outlined',
          ...(connection.answers && { maxBytes: Math.min(MAX_BYTES, connection.answers.bytesLeft) }),
          ...(items === 1 && ONE_ITEM),
          ...(json === undefined ? {} : { json }),
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
          ...(signal ? { signal } : {}),
        });
      } catch (error) {
        throw classConnection(error, platformLabel, doing);
      }
      if (answer.status >= 400) {
        const error = classStatus(answer, platformLabel, doing);
        if (error.kind === 'rate_limited') await connection.account?.limited(error.retryAfterMs);
        throw error;
      }
      await connection.account?.answered();
      if (connection.answers) connection.answers.bytesLeft -= Buffer.byteLength(answer.text);
      if (mayBeEmpty === true && answer.status < 300 && answer.text.trim() === '') return null;
      if (answer.json === undefined || answer.status >= 300) {
        throw new PlatformError('bad_answer', `${platformLabel} answered ${doing} with something other than JSON.`, {
          status: answer.status,
        });
      }
      return answer.json;
    },
  };
}

function addressOf(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}`;
}

function classConnection(error: unknown, label: string, doing: string): PlatformError {
  if (!(error instanceof OutboundError)) throw error;
  if (error.kind === 'too_large') return tooLarge(error, label, doing);
  const kinds = {
    address_refused: 'address_refused',
    unreachable: 'unavailable',
    timeout: 'unavailable',
    redirected: 'bad_answer',
  } as const;
  return new PlatformError(kinds[error.kind], `${label} gave no answer to ${doing}: ${error.message}`, {
    cause: error,
  });
}

function tooLarge(error: OutboundError, label: string, doing: string): PlatformError {
  const mebibytes = ((error.sent?.bytes ?? 0) / 1024 ** 2).toFixed(1);
  const size = error.sent?.isAll ? `${mebibytes} MiB` : `more than ${mebibytes} MiB`;
  return new PlatformError('too_large', `${label} answered ${doing} with ${size}, which is too large.`, {
    cause: error,
  });
}

function classStatus(answer: OutboundResponse, label: string, doing: string): PlatformError {
  const { status } = answer;
  const askedMs = readRetryAfter(answer.headers, Date.now());
  const retryAfterMs = askedMs === null ? null : Math.min(askedMs, LONGEST_WAIT_MS);
  const options = { status, retryAfterMs };
  if (status === 401 || status === 403) {
    return new PlatformError('unauthorised', `${label} refused the key (${status}) for ${doing}.`, options);
  }
  if (status === 404)
    return new PlatformError('not_found', `${label} does not know what was asked for (404) in ${doing}.`, options);
  if (status === 429) {
    const wait = retryAfterMs === null ? '' : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} seconds.`;
    return new PlatformError('rate_limited', `${label} has had too many requests (429) for ${doing}.${wait}`, options);
  }
  if (status === 408 || status === 409 || status >= 500) {
    return new PlatformError('unavailable', `${label} could not answer ${doing} just now (${status}).`, options);
  }
  return new PlatformError('rejected', `${label} did not accept ${doing} (${status}).`, options);
}
