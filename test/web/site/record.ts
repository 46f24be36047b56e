import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { BrowserContext, Page, Response } from 'playwright-core';

const RECORDED = join(import.meta.dirname, '..', '..', '..', 'web', 'recorded.js');
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
/** Addresses that differ in their ids alone are pages of one kind. */
const PAGES_OF_A_KIND = 40;
/** Signing in is the one request that is no GET and only reads; its token opens nothing once the server is gone. */
const SESSION = '/app/session';
const FOR_GOOD = '9999-12-31T00:00:00.000Z';

/** Also those of pictures, whose `href` is no text. */
const LINKS =
  '[...document.querySelectorAll("a[href]")].map((one) => new URL(one.getAttribute("href"), document.baseURI).href)';

type Index = Record<string, [file: string, type: string]>;

/** Keeps what a server answers to the pages of a browser, in files that are named by what they hold. */
export function recordAnswers(context: BrowserContext, url: string, folder: string) {
  const index: Index = {};
  const pending = new Set<Promise<void>>();
  mkdirSync(join(folder, 'answers'), { recursive: true });

  async function keep(response: Response): Promise<void> {
    const { pathname, search } = new URL(response.url());
    const body = pathname === SESSION ? withoutToken(await response.text()) : await response.body();
    const type = response.headers()['content-type'] ?? 'application/octet-stream';
    const name = `${createHash('sha256').update(body).digest('hex').slice(0, 16)}${/json/.test(type) ? '.json' : '.bin'}`;
    writeFileSync(join(folder, 'answers', name), body);
    index[`${pathname}${search}`] = [name, type];
  }

  context.on('response', (response) => {
    const request = response.request();
    const { origin, pathname } = new URL(response.url());
    const isRead = request.method() === 'GET' || pathname === SESSION;
    const isAnswer = /^\/(?:v1|app)\/|^\/healthz$/.test(pathname) && pathname !== '/app/events';
    if (origin !== url || !isRead || !isAnswer || !response.ok()) return;
    // The browser lets go of the bodies of a page that it leaves.
    const kept = keep(response).catch(() => {});
    pending.add(kept);
    void kept.finally(() => pending.delete(kept));
  });
  return {
    async settled(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending);
    },
    /** @returns how many answers there are. */
    async write(): Promise<number> {
      await this.settled();
      writeFileSync(join(folder, 'answers', 'index.json'), JSON.stringify(index));
      return Object.keys(index).length;
    },
  };
}

const withoutToken = (text: string) => JSON.stringify({ ...JSON.parse(text), token: 'recorded', expiresAt: FOR_GOOD });

/** Opens a page and every page that its links lead to, each once. @returns how many. */
export async function walk(page: Page, first: string, look: (page: Page) => Promise<void>): Promise<number> {
  const todo = [first];
  const known = new Set(todo);
  const kinds = new Map<string, number>();
  for (const at of todo) {
    await page.goto(at);
    await look(page);
    const links = await page.evaluate<string[]>(LINKS);
    for (const link of links) {
      const { origin, pathname, search, searchParams } = new URL(link);
      if (origin !== new URL(first).origin || known.has(pathname + search) || extname(pathname)) continue;
      known.add(pathname + search);
      const kind = `${pathname.replaceAll(ID, '')} ${[...searchParams.keys()].join(' ')}`;
      const seen = kinds.get(kind) ?? 0;
      kinds.set(kind, seen + 1);
      if (seen < PAGES_OF_A_KIND) todo.push(origin + pathname + search);
    }
  }
  return todo.length;
}

/** The app as it was built, told to read what was recorded. It works in whatever folder of a web server it lies. */
export function laySite(built: string, folder: string): void {
  cpSync(built, folder, { recursive: true, filter: (file) => !/\.gz$|\.sources$/.test(file) });
  cpSync(RECORDED, join(folder, 'recorded.js'));
  const page = readFileSync(join(built, 'index.html'), 'utf8')
    .replace(/<html\b[^>]*>/, (tag) => tag.replace('>', ' data-recorded>'))
    .replace('<head>', '<head>\n    <script src="./recorded.js"></script>');
  writeFileSync(join(folder, 'index.html'), page);
}
