import type { Page } from 'playwright-core';
import type { PageOfApp } from './web-pages.ts';

const NOT_THERE = '00000000-0000-7000-8000-000000000000';

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
}

/** Within the agent that the reader is at, or was at last. */
async function ofAgent(page: Page, path: string): Promise<void> {
  const agentId = await page.evaluate<string>("sessionStorage.getItem('earshot.agent')");
  await goTo(page, `/a/${agentId}/${path}`);
}

/** What pages look like in states that they are not in by themselves; each begins at a page of an agent. */
export const STATES: PageOfApp[] = [
  { name: 'no calls with filters', open: (page) => ofAgent(page, 'calls?outcome=no_contact&version=99') },
  { name: 'no issues with filters', open: (page) => ofAgent(page, 'issues?status=regressed') },
  { name: 'flow as a table', open: (page) => ofAgent(page, 'flow?view=table') },
  { name: 'nothing there', open: (page) => ofAgent(page, `issues/${NOT_THERE}`) },
  { name: 'agents', open: (page) => goTo(page, '/agents') },
  {
    name: 'change of a status',
    async open(page) {
      await ofAgent(page, 'issues');
      await page.locator('main a[href*="/issues/"]').first().click();
      await page.getByRole('button', { name: 'Change status' }).click();
    },
  },
  { name: 'palette', open: (page) => withKey(page, 'Control+k') },
  { name: 'list of keys', open: (page) => withKey(page, '?') },
  { name: 'copilot', open: (page) => withKey(page, '.') },
  {
    name: 'recording',
    async open(page) {
      await ofAgent(page, 'calls?outcome=abandoned');
      await page.locator('main a[href*="/calls/"]').first().click();
      await page.getByRole('button', { name: 'Listen to the call' }).click();
      await page.getByLabel('Recording of the call').waitFor();
    },
  },
  {
    name: 'read-only',
    async open(page) {
      await goTo(page, '/agents');
      await page.getByRole('listitem').filter({ hasText: 'read-only' }).getByRole('link').first().click();
      await page.getByText('This is the shared demo agent.').first().waitFor();
    },
  },
  {
    name: 'server away',
    async open(page) {
      await ofAgent(page, 'issues');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.context().setOffline(true);
      await page.keyboard.press('g');
      await page.keyboard.press('c');
      await page.getByText(/Not connected since/).waitFor();
    },
  },
];

async function withKey(page: Page, key: string): Promise<void> {
  await ofAgent(page, 'issues');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press(key);
}
