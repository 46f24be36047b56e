import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findBrowser, openBrowser } from '../support/browser.ts';
import { oddCalls } from '../support/odd-calls.ts';
import { say } from '../support/say.ts';
import { PAGES, type PageOfApp, untilShown } from '../support/web-pages.ts';
import { STATES } from '../support/web-states.ts';
import { startWebSystem, type WebSystem } from '../support/web-system.ts';
import { newVisitor, signIn, useFirstLink } from '../support/web-visitor.ts';

/**
 * `npm run pictures -- <folder> <parts of names>`: every page, to be looked at: of the demo, of odd calls, and where
 * nothing is yet; or those with any of these parts in their names.
 */
const LOOKS = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 1440 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
] as const;
type Look = (typeof LOOKS)[number];
const ODD_CALLS = 1_000;
/** Pictures prove nothing, so that a moment is enough for what a page still waits for. */
const SETTLE_MS = 800;
/** A page that is not there, as an agent without runs has none, is left out soon. */
const PATIENCE_MS = 8_000;
/** What an agent whose calls are uploaded has something to show on. */
const OF_ODD_CALLS = new Set([
  'issues',
  'issue',
  'calls',
  'call',
  'metrics',
  'flow',
  'coverage',
  'versions',
  'imports',
  'import',
]);
/** What somebody sees who starts with nothing. */
const OF_NOTHING = new Set(['waiting for you', 'keys and members', 'system', 'connect an agent']);

const [folder = 'pictures', ...parts] = process.argv.slice(2);
const isWanted = (name: string) => parts.length === 0 || parts.some((part) => name.includes(part));
const browserPath = findBrowser();
if (browserPath === null) throw new Error('Pictures need a browser.');
mkdirSync(folder, { recursive: true });
const browser = await openBrowser(browserPath);
try {
  await withSystem([], takeDemo);
  await withSystem(['--no-demo'], takeNothing);
} finally {
  await browser.close();
}

async function withSystem(options: string[], work: (system: WebSystem) => Promise<void>): Promise<void> {
  const system = await startWebSystem({}, options);
  try {
    await work(system);
  } finally {
    await system.stop();
  }
}

/** The demo, and an agent whose calls are odd. */
async function takeDemo(system: WebSystem): Promise<void> {
  const { page } = await newVisitor(browser);
  await useFirstLink(page, system);
  await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
  const demo = page.url();
  const odd = await uploadOddCalls(page, system);
  for (const look of LOOKS) {
    await inWindow(browser, system, look, async (seen) => {
      await seen.goto(demo);
      await untilShown(seen);
      await takeAll(seen, PAGES, nameOf('demo', look));
      await seen.goto(`${system.url}/a/${odd}/issues`);
      await untilShown(seen);
      await takeAll(
        seen,
        PAGES.filter(({ name }) => OF_ODD_CALLS.has(name)),
        nameOf('odd', look),
      );
      await seen.goto(demo);
      await untilShown(seen);
      await takeAll(seen, STATES, nameOf('state', look));
    });
  }
}

/** From the one-time link of the first person on. */
async function takeNothing(system: WebSystem): Promise<void> {
  const { page } = await newVisitor(browser);
  await page.goto(system.link);
  await page.getByLabel('Password').waitFor();
  await page.screenshot({ path: join(folder, 'empty-first-link.png') });
  await useFirstLink(page, system);
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  for (const look of LOOKS) {
    await inWindow(browser, system, look, async (seen) => {
      const first = { name: 'first page', open: async () => void (await seen.goto(system.url)) };
      await takeAll(seen, [first, ...PAGES.filter(({ name }) => OF_NOTHING.has(name))], nameOf('empty', look));
    });
  }
}

function nameOf(what: string, { width, theme }: Look): string {
  return `${what}-${width}-${theme}`;
}

/** Signed in; what the pages complain about is said. */
async function inWindow(
  at: Browser,
  { url }: WebSystem,
  look: Look,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, complaints } = await newVisitor(at, look);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(url);
  await page.getByLabel('Password').waitFor();
  await page.screenshot({ path: join(folder, `${nameOf('door', look)}.png`) });
  await signIn(page);
  await page
    .getByRole('main')
    .filter({ has: page.getByRole('heading', { name: /^(Issues|Agents)$/ }) })
    .waitFor();
  await work(page);
  for (const complaint of complaints) say(`${nameOf('', look)}: ${complaint}`);
  await page.context().close();
}

async function takeAll(page: Page, pages: PageOfApp[], prefix: string): Promise<void> {
  const named = pages.map(({ name, open }) => ({ name: `${prefix}-${name.replaceAll(' ', '-')}`, open }));
  for (const { name, open } of named.filter((each) => isWanted(each.name))) {
    const menu = page.getByRole('button', { name: 'Menu' });
    try {
      // What the picture before had opened over the page.
      await page.keyboard.press('Escape');
      if (await menu.isVisible()) await menu.click();
      await open(page);
      await untilShown(page);
      await page.waitForTimeout(SETTLE_MS);
      await page.screenshot({ path: join(folder, `${name}.png`) });
    } catch (error) {
      say(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : 'no picture'}`);
    }
  }
}

/** As a person of the app: an agent whose calls are uploaded, with all of them read. */
async function uploadOddCalls(page: Page, { url }: WebSystem): Promise<string> {
  const session = await page.request.post(`${url}/app/session`, { headers: { origin: url } });
  const headers = { authorization: `Bearer ${(await session.json()).token}` };
  const made = await page.request.post(`${url}/app/agents`, {
    headers,
    data: { platform: 'file', providerAgentId: 'odd', name: 'Odd calls <b>of</b> all kinds '.repeat(5).trim() },
  });
  const { id } = await made.json();
  const lines = oddCalls(ODD_CALLS, Date.now()).map((record) => JSON.stringify(record));
  const started = await page.request.post(`${url}/app/agents/${id}/imports`, {
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    data: lines.join('\n'),
  });
  if (!started.ok()) throw new Error(await started.text());
  await page.goto(`${url}/a/${id}/imports`);
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 240_000 });
  return id;
}
