import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Json } from '../domain/json.ts';
import { readRetryAfter } from '../domain/retry-after.ts';
import type { Outbound, OutboundRequest } from '../outbound/outbound.ts';
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
  const answer = await asModelError(() => outbound.request(requestOf(question)));
  refuseStatus(host, answer);
  if (answer.json !== undefined) return answer.json;
  throw new ModelError('unusable', `${host} answered with something that is no JSON.`);
}

/** The same, for an answer that comes as server-sent events: yields them as they come. @throws ModelError */
export async function* askForEvents(outbound: Outbound, question: Question): AsyncGenerator<EventSourceMessage> {
  const { host } = new URL(question.url);
  const answer = await asModelError(() => outbound.open(requestOf(question)));
  try {
    refuseStatus(host, answer);
    if (!answer.headers['content-type']?.startsWith('text/event-stream')) {
      throw new ModelError('unusable', `${host} answered with something that is no stream of events.`);
    }
    const events: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => events.push(event) });
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await asModelError(() => answer.body.next());
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    await answer.body.return();
  }
}

function refuseStatus(host: string, { status, headers }: { status: number; headers: Record<string, string> }): void {
  if (status >= 200 && status < 300) return;
  const retryAfterMs = readRetryAfter(headers, Date.now());
  if (status === 429 || status === 529) {
    throw new ModelError('busy', `${host} asks to wait (status ${status}).`, { retryAfterMs });
  }
  if (status >= 500 || status === 408) {
    throw new ModelError('away', `${host} is in trouble (status ${status}).`, { retryAfterMs });
  }
  const what = status === 401 || status === 403 ? 'the key' : 'the question or the name of the model';
  throw new ModelError('refused', `${host} does not accept ${what} (status ${status}).`);
}

const requestOf = ({ url, headers, json, signal, timeoutMs }: Question): OutboundRequest => ({
  method: 'POST',
  url,
  headers,
  json,
  timeoutMs: Math.min(timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS),
  maxBytes: MAX_BYTES,
  ...(signal ? { signal } : {}),
});

async function asModelError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
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
