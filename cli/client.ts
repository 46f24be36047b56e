import type { ErrorEnvelope } from '../src/contract/error.ts';
import type { Access } from './access.ts';
import { EXIT, Problem } from './problem.ts';

/** A typed way to the server: `read` with the key, `person` with the session. */
export interface Client {
  url: string;
  read<T>(path: string): Promise<T>;
  person<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
  /** Sends lines as they come; nothing of them is held. */
  upload<T>(path: string, lines: AsyncIterable<string>): Promise<T>;
  /** A stream of JSON lines, as bytes. */
  stream(path: string): Promise<AsyncIterable<Uint8Array>>;
  signIn(email: string, password: string): Promise<void>;
  useLink(secret: string, set: { email?: string; name?: string; password: string }): Promise<void>;
}

const COOKIE = 'earshot_session';
/** Refreshed by elapsed time, well before the minute of a token is over. */
const TOKEN_GOOD_MS = 40_000;

export function createClient(access: Access): Client {
  let token: { value: string; until: number } | undefined;

  async function send(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${access.url}${path}`, { ...init, redirect: 'error' });
    } catch (error) {
      throw new Problem(
        `No Earshot server answers at ${access.url}: start one with \`npm start\`, or set EARSHOT_URL. (${reasonOf(error)})`,
      );
    }
    if (!response.ok) throw await toProblem(response);
    return response;
  }

  /** The server may replace the refresh secret at each use. */
  function keepCookie(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const value = new RegExp(`^${COOKIE}=([^;]*)`).exec(line)?.[1];
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
      await send('/healthz', {});
      throw new Problem('This needs a person. Sign in first: npx earshot sign-in');
    }
    const response = await send('/app/session', {
      method: 'POST',
      headers: { cookie: `${COOKIE}=${encodeURIComponent(access.session)}` },
    });
    keepCookie(response);
    const body = (await response.json()) as { token: string };
    token = { value: body.token, until: performance.now() + TOKEN_GOOD_MS };
    return token.value;
  }

  const asPerson = async (headers: Record<string, string> = {}) => ({
    authorization: `Bearer ${await sessionToken()}`,
    ...headers,
  });
  const asJson = { 'content-type': 'application/json' };

  async function openSession(path: string, body: unknown): Promise<void> {
    keepCookie(await send(path, { method: 'POST', headers: asJson, body: JSON.stringify(body) }));
    token = undefined;
  }

  return {
    url: access.url,
    async read<T>(path: string) {
      const headers = access.key ? { authorization: `Bearer ${access.key}` } : await asPerson();
      return (await (await send(path, { headers })).json()) as T;
    },
    async person<T>(method: string, path: string, body?: unknown) {
      const init =
        body === undefined
          ? { method, headers: await asPerson() }
          : { method, headers: await asPerson(asJson), body: JSON.stringify(body) };
      return (await (await send(path, init)).json()) as T;
    },
    async upload<T>(path: string, lines: AsyncIterable<string>) {
      const response = await send(path, {
        method: 'POST',
        headers: await asPerson({ 'content-type': 'application/x-ndjson' }),
        body: ReadableStream.from(encode(lines)),
        duplex: 'half',
      });
      return (await response.json()) as T;
    },
    async stream(path) {
      const { body } = await send(path, { headers: await asPerson() });
      return body ?? ReadableStream.from([]);
    },
    signIn: (email, password) => openSession('/app/sign-in', { email, password }),
    useLink: (secret, set) => openSession(`/app/links/${encodeURIComponent(secret)}`, set),
  };
}

async function* encode(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(line);
}

async function toProblem(response: Response): Promise<Problem> {
  const text = await response.text();
  let message = `The server answered ${response.status}.`;
  try {
    const { error } = JSON.parse(text) as ErrorEnvelope;
    message = `${error.message} (${error.code}${error.requestId ? `, ${error.requestId}` : ''})`;
  } catch {
    message += ' It does not look like an Earshot server.';
  }
  const noAccess = response.status === 401 || response.status === 403;
  return new Problem(message, noAccess ? EXIT.unusable : EXIT.failed);
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = (cause as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string') return code;
  if (cause instanceof Error) return cause.message;
  return error instanceof Error ? error.message : String(error);
}
