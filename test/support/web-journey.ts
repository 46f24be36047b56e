import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openBrowser } from './browser.ts';
import { startWebSystem, type WebSystem } from './web-system.ts';
import { newVisitor, useFirstLink } from './web-visitor.ts';

/** Everything that `npm start` brings up, and the first admin at its issues. */
export interface Journey {
  readonly system: WebSystem;
  readonly page: Page;
}

/** A folder for a picture of where each test ends, where one is wanted. */
const PICTURES = process.env.EARSHOT_PICTURES;

/**
 * Brought up before the tests of a file, and taken down after them.
 * @param settings of its processes, once what they point at is there.
 */
export function useJourney(browserPath: string | null, settings?: () => Promise<Record<string, string>>): Journey {
  let system: WebSystem;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [system, browser] = await Promise.all([startWebSystem(await settings?.()), openBrowser(browserPath ?? '')]);
    ({ page } = await newVisitor(browser));
    await useFirstLink(page, system);
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
  });
  afterEach(async ({ task }) => {
    if (PICTURES === undefined) return;
    await page.screenshot({
      path: join(PICTURES, `${task.name.replaceAll(/[^\p{L}\d]+/gu, '-')}.png`),
      fullPage: true,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });
  return {
    get system() {
      return system;
    },
    get page() {
      return page;
    },
  };
}
