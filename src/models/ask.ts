import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { fieldOf, type Json } from '../domain/json.ts';
import { parseJson } from '../domain/parse-json.ts';
import { readRetryAfter } from '../domain/retry-after.ts';
import type { Outbound, OutboundRequest } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { ModelError, type ModelErrorKind, type Refused } from './port.ts';

/** The ceilings of a model: two minutes from connecting to the last byte, and one megabyte. */
const TIMEOUT_MS = 120_000;
const MAX_BYTES = 1024 * 1024;

export interface Question {
  url: string;
  /** POST where it is not given. */
  method?: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  json?: Json;
  /** In place of JSON, as it is. */
  text?: string;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends one question, once. @returns the answer of an endpoint that accepted it. @throws ModelError */
export async function ask(outbound: Outbound, question: Question): Promise<Json> {
  const { host } = new URL(question.url);
  const answer = await asModelError(() => outbound.request(requestOf(question)));
  if (isRefusal(answer)) throw asRefusal(host, answer, answer.json);
  if (answer.json !== undefined) return answer.json;
  throw new ModelError('unusable', `${host} answered with something that is no JSON.`);
}

/** The same, for an answer that comes as server-sent events: yields them as they come. @throws ModelError */
export async function* askForEvents(outbound: Outbound, question: Question): AsyncGenerator<EventSourceMessage> {
  const { host } = new URL(question.url);
  const answer = await asModelError(() => outbound.open(requestOf(question)));
  try {
    if (isRefusal(answer)) throw asRefusal(host, answer, parseJson(await beginningOf(answer.body)));
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

/** The answers of a batch: far more than one, and slower. */
const LINES_TIMEOUT_MS = 600_000;
const LINES_BYTES = 512 * 1024 * 1024;
const LINE_BYTES = 4 * MAX_BYTES;

/** The same, for an answer of one document a line: yields them as they come. @throws ModelError */
export async function* askForLines(outbound: Outbound, question: Question): AsyncGenerator<Json> {
  const { host } = new URL(question.url);
  const asked = { ...requestOf(question), timeoutMs: LINES_TIMEOUT_MS, maxBytes: LINES_BYTES };
  const answer = await asModelError(() => outbound.open(asked));
  const decoder = new TextDecoder();
  let rest = '';
  try {
    if (isRefusal(answer)) throw asRefusal(host, answer, parseJson(await beginningOf(answer.body)));
    for (;;) {
      const { done, value } = await asModelError(() => answer.body.next());
      rest += done ? '\n' : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const read = line.trim() === '' ? undefined : parseJson(line);
        if (read !== undefined) yield read;
      }
      if (done) return;
      if (rest.length > LINE_BYTES) throw new ModelError('unusable', `${host} answered with a line that is too long.`);
    }
  } finally {
    await answer.body.return();
  }
}

/** Of an answer that is read only to learn what was refused. */
const REFUSAL_BYTES = 16 * 1024;

/** What came until the connection broke, or there is more than anybody needs. */
async function beginningOf(body: AsyncGenerator<Uint8Array, void>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < REFUSAL_BYTES) {
      const { done, value } = await body.next();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
  }
  return text;
}

interface Refusal {
  status: number;
  headers: Record<string, string>;
}

const isRefusal = ({ status }: Refusal) => status < 200 || status >= 300;

function asRefusal(host: string, { status, headers }: Refusal, body: Json | undefined): ModelError {
  const retryAfterMs = readRetryAfter(headers, Date.now());
  const refused = whatIsRefused(status, body);
  if (refused === null && (status === 429 || status === 529)) {
    return new ModelError('busy', `${host} asks to wait (status ${status}).`, { retryAfterMs });
  }
  if (refused === null) return new ModelError('away', `${host} is in trouble (status ${status}).`, { retryAfterMs });
  const words = {
    key: `does not accept the key (status ${status})`,
    money: `has no money or quota left for this key (status ${status})`,
    model: `does not know the model, or the address (status ${status})`,
    question: `does not accept the question (status ${status})`,
  }[refused];
  return new ModelError('refused', `${host} ${words}.`, { refused });
}

/** Codes and sentences by which providers say the same with statuses that mean something else as well. */
const NO_MONEY_CODE = /insufficient_quota|insufficient_balance|billing/i;
const NO_MONEY = /credit balance|insufficient balance/i;
const NO_MODEL =
  /model_not_found|invalid_model|model\b[^.]{0,100}\b(?:not found|not exist|not supported|not available)/i;

/** @returns null where waiting helps. */
function whatIsRefused(status: number, body: Json | undefined): Refused | null {
  const error = fieldOf(body, 'error') ?? body;
  const told = (name: string) => String(fieldOf(error, name) ?? '').slice(0, 1_000);
  const [codes, message] = [`${told('code')} ${told('type')}`, told('message')];
  if (status === 402 || (status < 500 && (NO_MONEY_CODE.test(codes) || NO_MONEY.test(message)))) return 'money';
  if (status === 401 || status === 403) return 'key';
  if (status === 404 || status === 405 || (status === 400 && NO_MODEL.test(`${codes} ${message}`))) return 'model';
  return status >= 500 || status === 408 || status === 429 ? null : 'question';
}

const requestOf = ({ signal, timeoutMs, method = 'POST', ...rest }: Question): OutboundRequest => ({
  method,
  ...rest,
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
