import type { Json } from '../domain/json.ts';
import type { Outbound, OutboundResponse } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { ModelError, type ModelErrorKind } from './port.ts';

/** The ceilings of a model: two minutes from connecting to the last byte, and one megabyte. */
const TIMEOUT_MS = 120_000;
const MAX_BYTES = 1024 * 1024;

export interface Question {
  url: string;
  headers: Record<string, string>;
  json: Json;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends one question, once. @returns the answer of an endpoint that accepted it. @throws ModelError */
export async function ask(outbound: Outbound, question: Question): Promise<Json> {
  const { host } = new URL(question.url);
  const answer = await send(outbound, question);
  if (answer.status >= 200 && answer.status < 300) {
    if (answer.json !== undefined) return answer.json;
    throw new ModelError('unusable', `${host} answered with something that is no JSON.`);
  }
  const retryAfterMs = retryAfterOf(answer.headers['retry-after']);
  if (answer.status === 429 || answer.status === 529) {
    throw new ModelError('busy', `${host} asks to wait (status ${answer.status}).`, { retryAfterMs });
  }
  if (answer.status >= 500 || answer.status === 408) {
    throw new ModelError('away', `${host} is in trouble (status ${answer.status}).`, { retryAfterMs });
  }
  const what = answer.status === 401 || answer.status === 403 ? 'the key' : 'the question or the name of the model';
  throw new ModelError('refused', `${host} does not accept ${what} (status ${answer.status}).`);
}

async function send(outbound: Outbound, question: Question): Promise<OutboundResponse> {
  const { url, headers, json, signal } = question;
  try {
    return await outbound.request({
      method: 'POST',
      url,
      headers,
      json,
      timeoutMs: Math.min(question.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS),
      maxBytes: MAX_BYTES,
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // What broke off may have been answered on the other side, and be charged there.
    const unknown = error.kind === 'address_refused' ? {} : { usage: null };
    throw new ModelError(KINDS[error.kind], error.message, { cause: error, ...unknown });
  }
}

const KINDS = {
  unreachable: 'away',
  timeout: 'away',
  too_large: 'unusable',
  address_refused: 'refused',
  redirected: 'refused',
} as const satisfies Record<OutboundError['kind'], ModelErrorKind>;

/** Seconds, or a date; what is neither says nothing. */
function retryAfterOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d{1,6}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
