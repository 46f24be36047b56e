import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { PROGRAM, START } from '../src/layout.ts';
import type { Access } from './access.ts';
import { EXIT, Problem, ServerProblem } from './problem.ts';
import { reasonOf, toProblem } from './to-problem.ts';

/** A typed way to the server: `read` and `write` with the key where there is one, `person` with the session. */
export interface Client {
  url: string;
  read<T>(path: string): Promise<T>;
  /** The answer as it came: its bytes, and the headers that say something about them. */
  readBytes(path: string): Promise<RawAnswer>;
  /** What a write key may do. A start that is sent again under the same idempotency key happens once. */
  write<T>(method: 'POST' | 'PUT', path: string, body: unknown, idempotencyKey?: string): Promise<T>;
  person<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
  /** Sends lines as they come. They are held until the server has answered, which may ask for them once more. */
  upload<T>(path: string, lines: AsyncIterable<string>): Promise<T>;
  /** Server-sent events as they come, after one that was read before; of a POST where a body is given. */
  events(path: string, asked: { body?: unknown; after?: string }): Promise<AsyncIterable<EventSourceMessage>>;
  /** A stream of JSON lines, as bytes. */
  stream(path: string): Promise<AsyncIterable<Uint8Array>>;
  signIn(email: string, password: string): Promise<void>;
  useLink(secret: string, set: { email?: string; name?: string; password: string }): Promise<void>;
}

export interface RawAnswer {
  bytes: Uint8Array;
  etag: string | null;
}

const COOKIE = 'earshot_session';
const COOKIE_VALUE = new RegExp(`^${COOKIE}=([^;]*)`);
/** Refreshed by elapsed time, well before the minute of a token is over. */
const TOKEN_GOOD_MS = 40_000;
/** No answer of the API takes so long: a server that hangs counts as one that is away. */
const ANSWER_WITHIN_MS = 60_000;
/** Of all the waiting of one request that was refused by a rate limit. */
const WAITS_AT_MOST_SECONDS = 60;

/** Made anew for each try: a session token does not live as long as a limit may ask to wait. */
type MakeRequest = () => RequestInit | Promise<RequestInit>;

/** @param say told once, in words, that requests wait for a rate limit. */
export function createClient(access: Access, say: (text: string) => void = () => undefined): Client {
  let token: { value: string; until: number } | undefined;
  let said = false;

  /** A request that a rate limit refuses was not carried out: it is sent again when the server says, for up to a minute. */
  async function send(path: string, make: MakeRequest): Promise<Response> {
    for (let waited = 0; ; ) {
      try {
        return await sendOnce(path, await make());
      } catch (error) {
        const seconds = error instanceof ServerProblem && error.status === 429 ? error.retryAfterSeconds : null;
        if (seconds === null || waited + seconds > WAITS_AT_MOST_SECONDS) throw error;
        if (!said) say(`${(error as ServerProblem).message} Waiting.`);
        said = true;
        waited += Math.max(seconds, 1);
        await sleep(seconds * 1000);
      }
    }
  }

  async function sendOnce(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${access.url}${path}`, { ...init, redirect: 'error' });
    } catch (error) {
      throw new ServerProblem(
        `No Earshot server answers at ${access.url}: start one with \`${START}\`, or set EARSHOT_URL. (${reasonOf(error)})`,
        EXIT.unusable,
      );
    }
    if (!response.ok) throw await toProblem(response, access.url);
    return response;
  }

  /** For answers that are read whole. An answer that breaks off is the same as none. */
  async function sendForBytes(path: string, make: MakeRequest): Promise<RawAnswer> {
    const response = await send(path, async () => ({
      ...(await make()),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }));
    try {
      return {
        bytes: new Uint8Array(await response.arrayBuffer()),
        etag: response.headers.get('etag'),
      };
    } catch (error) {
      throw new ServerProblem(`The answer of ${access.url} broke off. (${reasonOf(error)})`, EXIT.unusable);
    }
  }

  async function sendForJson<T>(path: string, make: MakeRequest): Promise<T> {
    const { bytes } = await sendForBytes(path, make);
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      throw new Problem(`What ${access.url} answered does not look like an Earshot server.`);
    }
  }

  /** The server may replace the refresh secret at each use. */
  function keepCookie(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const value = COOKIE_VALUE.exec(line)?.[1];
      if (value) {
        access.session = decodeURIComponent(value);
        access.keepSession(access.session);
      }
    }
  }

  async function sessionToken(): Promise<string> {
    if (token && performance.now() < token.until) return token.value;
    if (!access.session) {
      // Whether anything is there at all is the first thing to know.
      await send('/healthz', () => ({}));
      throw new Problem(`This needs a signed-in person. To sign in: ${PROGRAM} sign-in`);
    }
    const response = await send('/app/session', () => ({
      method: 'POST',
      headers: { cookie: `${COOKIE}=${encodeURIComponent(access.session ?? '')}` },
    }));
    keepCookie(response);
    const body = (await response.json()) as { token: string };
    token = { value: body.token, until: performance.now() + TOKEN_GOOD_MS };
    return token.value;
  }

  const asPerson = async (headers: Record<string, string> = {}) => ({
    authorization: `Bearer ${await sessionToken()}`,
    ...headers,
  });
  const asKey = async (headers: Record<string, string> = {}) =>
    access.key ? { authorization: `Bearer ${access.key}`, ...headers } : asPerson(headers);
  const asJson = { 'content-type': 'application/json' };

  async function openSession(path: string, body: unknown): Promise<void> {
    keepCookie(await send(path, () => ({ method: 'POST', headers: asJson, body: JSON.stringify(body) })));
    token = undefined;
  }

  return {
    url: access.url,
    read: async <T>(path: string) => sendForJson<T>(path, async () => ({ headers: await asKey() })),
    readBytes: async (path) => sendForBytes(path, async () => ({ headers: await asKey() })),
    async write<T>(method: string, path: string, body: unknown, idempotencyKey?: string) {
      const own = {
        ...(body === undefined ? {} : asJson),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return sendForJson<T>(path, async () => ({ method, headers: await asKey(own), ...sent }));
    },
    async person<T>(method: string, path: string, body?: unknown) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const own = body === undefined ? {} : asJson;
      return sendForJson<T>(path, async () => ({ method, headers: await asPerson(own), ...sent }));
    },
    async upload<T>(path: string, lines: AsyncIterable<string>) {
      const body = repeatable(lines);
      const response = await send(path, async () => ({
        method: 'POST',
        headers: await asPerson({ 'content-type': 'application/x-ndjson' }),
        body: ReadableStream.from(body()),
        duplex: 'half',
      }));
      return (await response.json()) as T;
    },
    async events(path, { body, after }) {
      const own = {
        ...(body === undefined ? {} : asJson),
        ...(after === undefined ? {} : { 'last-event-id': after }),
      };
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const answer = await send(path, async () => ({ headers: await asPerson(own), ...sent }));
      const bytes = answer.body ?? ReadableStream.from([]);
      return bytes.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    },
    async stream(path) {
      const { body } = await send(path, async () => ({ headers: await asPerson() }));
      return body ?? ReadableStream.from([]);
    },
    signIn: (email, password) => openSession('/app/sign-in', { email, password }),
    useLink: (secret, set) => openSession('/app/links/use', { secret, ...set }),
  };
}

/** The lines as often as they are asked for, each read from its source once. */
function repeatable(lines: AsyncIterable<string>): () => AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const source = lines[Symbol.asyncIterator]();
  const kept: Uint8Array[] = [];
  let isOver = false;
  let pull: Promise<void> | null = null;
  const pullOne = async () => {
    const next = await source.next();
    if (next.done) isOver = true;
    else kept.push(encoder.encode(next.value));
    pull = null;
  };
  return async function* () {
    for (let at = 0; ; at += 1) {
      // A try that was given up may still wait for the same line.
      while (at >= kept.length && !isOver) await (pull ??= pullOne());
      const line = kept[at];
      if (line === undefined) return;
      yield line;
    }
  };
}
