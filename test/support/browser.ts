import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { say } from './say.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The browser of this machine, or the one that `EARSHOT_TEST_BROWSER` names; null where there is none. */
export function findBrowser(): string | null {
  const named = process.env['EARSHOT_TEST_BROWSER'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...ELSEWHERE];
  const found = paths.find((path) => existsSync(path)) ?? null;
  if (found === null) {
    say('Tests that need a browser are skipped. Install Chromium or Chrome, or name one in EARSHOT_TEST_BROWSER.');
  }
  return found;
}

/** As root, Chromium's own sandbox does not start. */
export function openBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
