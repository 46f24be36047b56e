import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import type { Json } from '../domain/json.ts';
import { parseJson } from '../domain/parse-json.ts';
import { guardedLookup, parseUrl, refuseLiteral } from './address-judge.ts';
import { parseNetworks } from './addresses.ts';
import { OutboundError } from './outbound-error.ts';
import { createOutline, type Outline } from './outline.ts';

/** Of one answer, where nothing else is said. */
export const MAX_BYTES = 8 * 1024 * 1024;
/** Read of one answer of which not all is kept. */
const READ_AT_MOST = 64 * 1024 * 1024;
/** An answer that has brought so much within its time is too large for it; one that has not is slow. */
const LARGE_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 15_000;
/** To one origin: no fewer than the questions that a worker may have slots for, which would wait here unseen. */
const CONNECTIONS_AT_MOST = 256;

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: Json;
  /** Sent as it is; for bodies whose exact bytes were signed. */
  text?: string;
  /** Whole request, from connecting to the last byte. */
  timeoutMs?: number;
  maxBytes?: number;
  /**
   * What becomes of a longer answer: it is refused; cut there; refused once its length is known; or taken, and only its
   * outline is kept (`createOutline`). The last two read `readAtMost`.
   */
  longer?: 'refused' | 'cut' | 'measured' | 'outlined';
  /** Bytes; 64 MiB where it is not given. */
  readAtMost?: number;
  /** Ends the request before its time. */
  signal?: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case; a repeated header is joined with a comma. */
  headers: Record<string, string>;
  text: string;
  /** Undefined where the body is no JSON, or is nested deeper than 64. */
  json: Json | undefined;
}

/** An answer that is read while it comes. */
export interface OutboundStream {
  status: number;
  headers: Record<string, string>;
  /** Ends with an OutboundError where the connection breaks, or more comes than allowed. To be read, or returned from. */
  body: AsyncGenerator<Uint8Array, void>;
}

/** The one way to addresses that come from data: platform base URLs and webhook endpoints. */
export interface Outbound {
  /** Any status is an answer, but a redirect. @throws OutboundError */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** The same, as soon as the answer begins. @throws OutboundError */
  open(request: OutboundRequest): Promise<OutboundStream>;
  close(): Promise<void>;
}

export interface OutboundOptions {
  /** Networks that may be reached although they are private, and over plain http. */
  allow: string[];
  /** Origins that the operator set, such as the demo platform's: reached as they are. */
  trustedOrigins: string[];
  /** Name resolution; tests replace it. */
  lookup?: LookupFunction;
  /** Of `OutboundRequest`; tests make it smaller. */
  readAtMost?: number;
}

type Answer = Dispatcher.ResponseData;

export function createOutbound({
  allow,
  trustedOrigins,
  lookup = systemLookup,
  readAtMost = READ_AT_MOST,
}: OutboundOptions): Outbound {
  const networks = parseNetworks(allow);
  const trusted = new Set(trustedOrigins.map((origin) => new URL(origin).origin));
  const agents = {
    trusted: openAgent(systemLookup),
    https: openAgent(guardedLookup(lookup, networks, false)),
    http: openAgent(guardedLookup(lookup, networks, true)),
  };

  /** The lookup is not asked about addresses written as such, so those are judged here. */
  function route(text: string): { url: URL; agent: Agent } {
    const url = parseUrl(text);
    if (trusted.has(url.origin)) return { url, agent: agents.trusted };
    refuseLiteral(url, networks);
    return { url, agent: url.protocol === 'http:' ? agents.http : agents.https };
  }

  async function begin(asked: OutboundRequest, timeoutMs: number): Promise<{ host: string; answer: Answer }> {
    const { url, agent } = route(asked.url);
    const end = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(asked.signal ? [asked.signal] : [])]);
    try {
      const answering = request(url, {
        dispatcher: agent,
        method: asked.method,
        headers: {
          accept: 'application/json',
          'user-agent': 'earshot',
          ...(asked.json === undefined ? {} : { 'content-type': 'application/json' }),
          ...asked.headers,
        },
        body: asked.json === undefined ? (asked.text ?? null) : JSON.stringify(asked.json),
        signal: end,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      return { host: url.host, answer: await orEnd(answering, end) };
    } catch (error) {
      throw classed(error, url.host, timeoutMs);
    }
  }

  return {
    async request(asked) {
      const timeoutMs = asked.timeoutMs ?? TIMEOUT_MS;
      const { host, answer } = await begin(asked, timeoutMs);
      try {
        const text = await readText(answer, host, { readAtMost, ...asked });
        refuseRedirect(answer, host);
        return { status: answer.statusCode, headers: flatHeaders(answer.headers), text, json: parseJson(text) };
      } catch (error) {
        throw classed(error, host, timeoutMs);
      }
    },
    async open(asked) {
      const timeoutMs = asked.timeoutMs ?? TIMEOUT_MS;
      const { host, answer } = await begin(asked, timeoutMs);
      // A body that ends before anybody reads it has nobody else to tell, and an error without a listener ends the process.
      answer.body.on('error', () => {});
      try {
        refuseRedirect(answer, host);
      } catch (error) {
        answer.body.destroy();
        throw error;
      }
      const body = readParts(answer, { host, timeoutMs, maxBytes: asked.maxBytes ?? MAX_BYTES });
      return { status: answer.statusCode, headers: flatHeaders(answer.headers), body };
    },
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

function openAgent(lookup: LookupFunction): Agent {
  return new Agent({
    connect: { lookup, timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connections: CONNECTIONS_AT_MOST,
  });
}

/** A request that still looks for its host or connects to it hears of its end only when that has failed. */
async function orEnd(answering: Promise<Answer>, end: AbortSignal): Promise<Answer> {
  const ended = Promise.withResolvers<never>();
  const stop = () => ended.reject(end.reason);
  if (end.aborted) stop();
  end.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([answering, ended.promise]);
  } finally {
    end.removeEventListener('abort', stop);
    answering.catch(() => {});
  }
}

async function readText(
  answer: Answer,
  host: string,
  asked: Pick<OutboundRequest, 'maxBytes' | 'longer'> & { readAtMost: number },
): Promise<string> {
  const { maxBytes = MAX_BYTES, longer = 'refused' } = asked;
  const text = longer === 'outlined' ? createOutline() : createWhole(maxBytes);
  const readAtMost = longer === 'measured' || longer === 'outlined' ? Math.max(maxBytes, asked.readAtMost) : maxBytes;
  let bytes = 0;
  try {
    for await (const chunk of answer.body) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      text.push(part);
      if (bytes <= readAtMost && (longer === 'measured' || text.bytes() <= maxBytes)) continue;
      answer.body.destroy();
      if (longer === 'cut') return text.text();
      throw tooLarge(host, maxBytes, { bytes, isAll: false });
    }
  } catch (error) {
    const isLarge = readAtMost > maxBytes && bytes >= LARGE_BYTES && isTimeout(error);
    throw isLarge ? tooLarge(host, maxBytes, { bytes, isAll: false }) : error;
  }
  if (text.bytes() > maxBytes) throw tooLarge(host, maxBytes, { bytes, isAll: true });
  return text.text();
}

/** What comes beyond the bytes that may be kept is counted. */
function createWhole(maxBytes: number): Outline {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    push(part) {
      bytes += part.length;
      if (bytes <= maxBytes) chunks.push(part);
    },
    bytes: () => bytes,
    text: () => new TextDecoder().decode(Buffer.concat(chunks)),
  };
}

/** Whoever stops reading closes the connection. */
async function* readParts(
  answer: Answer,
  { host, timeoutMs, maxBytes }: { host: string; timeoutMs: number; maxBytes: number },
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  try {
    for await (const chunk of answer.body) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      if (bytes > maxBytes) throw tooLarge(host, maxBytes, { bytes, isAll: false });
      yield part;
    }
  } catch (error) {
    throw classed(error, host, timeoutMs);
  }
}

function refuseRedirect({ statusCode }: Answer, host: string): void {
  if (statusCode < 300 || statusCode >= 400) return;
  throw new OutboundError('redirected', `${host} answered with a redirect, which is never followed.`);
}

const tooLarge = (host: string, maxBytes: number, sent: { bytes: number; isAll: boolean }) =>
  new OutboundError('too_large', `${host} sent more than ${Math.round(maxBytes / 1024)} KiB.`, { sent });

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

function classed(error: unknown, host: string, timeoutMs: number): OutboundError {
  if (error instanceof OutboundError) return error;
  const options = { cause: error };
  if (isTimeout(error)) {
    const message = `${host} did not answer within ${Math.round(timeoutMs / 1000)} seconds.`;
    return new OutboundError('timeout', message, options);
  }
  if (error instanceof Error && error.name === 'ConnectTimeoutError') {
    return new OutboundError('timeout', `${host} did not accept a connection within 10 seconds.`, options);
  }
  return new OutboundError('unreachable', `${host} could not be reached, or broke the connection.`, options);
}

const isTimeout = (error: unknown) =>
  error instanceof Error && ['TimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError'].includes(error.name);
