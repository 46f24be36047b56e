import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../src/ids.ts';
import type { Answer, Journal } from './journal.ts';
import { EMAIL, PASSWORD, type Site } from './site.ts';

export interface Asked {
  /** A key or an ingest token; the person where it is left out. */
  as?: string;
  body?: unknown;
  /** Records, one a line, in the place of a body. */
  lines?: string;
  /** The same for a request that is made again. */
  key?: string;
}

const ANSWER_WITHIN_MS = 20_000;
const TOKEN_LASTS_MS = 40_000;
const AGAIN_AFTER_MS = 500;
/** Longer than anything that a fault breaks stays broken; what answers ask to wait comes on top, once more as long at most. */
const ANSWERED_WITHIN_MS = 180_000;

/** Asks either API, as a careful program of a customer does, and notes what it is told. */
export class Client {
  readonly #site: Site;
  readonly #journal: Journal;
  readonly #random: () => number;
  #token: { value: string; until: number } | null = null;
  /** Once true, requests without an answer are not made again. */
  gaveUp = false;

  constructor(site: Site, journal: Journal, random: () => number) {
    this.#site = site;
    this.#journal = journal;
    this.#random = random;
  }

  /** @returns null where no answer came. */
  async ask(method: string, path: string, asked: Asked = {}): Promise<Answer | null> {
    this.#journal.requests += 1;
    try {
      const as = asked.as ?? (await this.#person());
      const answer = await this.#send(method, path, asked, as);
      if (answer.status >= 500) this.#journal.failed += 1;
      if (answer.status >= 400 && typeof answer.body?.error?.requestId !== 'string') {
        this.#journal.malformed.push({ path, status: answer.status });
      }
      return answer;
    } catch {
      this.#journal.unanswered += 1;
      return null;
    }
  }

  /** Asks again, under the same Idempotency-Key, until it is answered. @returns null where that never happened. */
  async insist(method: string, path: string, asked: Asked = {}): Promise<Answer | null> {
    const key = asked.key ?? newId();
    const begun = Date.now();
    for (let end = begun + ANSWERED_WITHIN_MS; ; ) {
      const answer = await this.ask(method, path, { ...asked, key });
      if (answer !== null && !isPassing(answer)) {
        if (isRefusal(answer)) this.#journal.refused.push(`${method} ${path}: ${JSON.stringify(answer.body)}`);
        return answer;
      }
      if (Date.now() > end)
        this.#journal.neverAnswered.push(`${method} ${path}: ${JSON.stringify(answer?.body ?? null)}`);
      if (Date.now() > end || this.gaveUp) return null;
      const askedMs = (answer?.retryAfterSeconds ?? 0) * 1000;
      end = Math.min(end + askedMs, begun + 2 * ANSWERED_WITHIN_MS);
      await sleep(Math.max(AGAIN_AFTER_MS, askedMs));
    }
  }

  /** All resources of a list. @returns null where a page of it never came. */
  async walk(path: string, as?: string, limit = 100): Promise<Answer['body'][] | null> {
    const all: Answer['body'][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const url = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = await this.insist('GET', url, as === undefined ? {} : { as });
      if (page?.status !== 200) return null;
      all.push(...page.body.data);
      cursor = page.body.nextCursor;
    }
    return all;
  }

  async #person(): Promise<string> {
    if (this.#token && Date.now() < this.#token.until) return this.#token.value;
    const body = { email: EMAIL, password: PASSWORD };
    const answer = await this.#send('POST', '/app/sign-in', { body }, null);
    if (answer.status !== 200) throw new Error(`Signing in was answered with ${answer.status}.`);
    this.#token = { value: answer.body.token, until: Date.now() + TOKEN_LASTS_MS };
    return this.#token.value;
  }

  async #send(method: string, path: string, { body, lines, key }: Asked, as: string | null): Promise<Answer> {
    const type = lines === undefined ? 'application/json' : 'application/x-ndjson';
    const payload = lines ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(`${this.#site.api(this.#random() < 0.5 ? 0 : 1)}${path}`, {
      method,
      headers: {
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...(payload === null ? {} : { 'content-type': type }),
        ...(key !== undefined && method === 'POST' ? { 'idempotency-key': key } : {}),
      },
      body: payload,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await response.text();
    const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0);
    return { status: response.status, body: text === '' ? null : JSON.parse(text), retryAfterSeconds };
  }
}

/** A secret is shown once: whoever missed it is told so when they ask again. */
const isRefusal = ({ status, body }: Answer) =>
  status >= 400 && status !== 404 && !(status === 409 && /held a secret/.test(String(body?.error?.message)));

/** Something that may be otherwise a moment later. */
function isPassing({ status, body }: Answer): boolean {
  if (status >= 500 || status === 408 || status === 429 || status === 401) return true;
  return status === 409 && /still at work/.test(String(body?.error?.message));
}
