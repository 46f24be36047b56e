import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import type { WebSystem } from './web-system.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const ALL = { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } };
const COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
/** Of what is in order nothing is written down: naming each of its elements took most of the time. */
const BREACHES = { resultTypes: ['violations'], selectors: false };
export const EMAIL = 'ada@example.org';
export const PASSWORD = 'a good long password';

/** A person at a browser window; what the page complains about is kept. */
export interface Visitor {
  page: Page;
  complaints: string[];
}

interface Look {
  theme?: 'light' | 'dark';
  width?: number;
}

export async function newVisitor(browser: Browser, { theme = 'light', width = 1280 }: Look = {}): Promise<Visitor> {
  const context = await browser.newContext({ colorScheme: theme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, complaints };
}

export async function useFirstLink(page: Page, { link }: WebSystem): Promise<void> {
  await page.goto(link);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
}

export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What breaks WCAG 2.2 AA on the page as it is shown, one line each. */
export async function violations(page: Page, only: typeof ALL = ALL): Promise<string[]> {
  // The debugger's door into the page, which the content policy does not guard; it stays until a page is loaded anew.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(await readAxe());
  const found = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify({ ...only, ...BREACHES })})`);
  return found.violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(' | ')})`);
}

/** The same in both themes, of which the second has other colours and nothing else. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction('document.getAnimations().every((one) => !(one instanceof CSSTransition))');
  const dark = await violations(page, COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((line) => `in the dark theme, ${line}`)];
}

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string }[] }[];
}

let axeText: string | undefined;
async function readAxe(): Promise<string> {
  axeText ??= await (await import('node:fs/promises')).readFile(AXE, 'utf8');
  return axeText;
}
