import type { Page } from 'playwright-core';

/** How a reader comes to a page of the first agent, by its links alone. */
export interface PageOfApp {
  name: string;
  open(page: Page): Promise<void>;
}

const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages of the agent' }).getByRole('link', { name, exact: true }).click();
const firstLinkTo = (page: Page, path: string) => page.locator(`main a[href*="${path}"]`).first();

const workspacePlace = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages of the workspace' }).getByRole('link', { name }).click();

async function settingsTab(page: Page, name: string): Promise<void> {
  await workspacePlace(page, 'Workspace');
  const tabs = page.getByRole('navigation', { name: 'Settings of the workspace' });
  // On a narrow screen the menu is folded again by then.
  await tabs.getByRole('link', { name, exact: true }).click();
}

/** Goes to a list by the bar, and waits for it: until then the page before may hold links that look like its rows. */
async function toList(page: Page, list: string): Promise<void> {
  await place(page, list);
  await page.getByRole('heading', { level: 1, name: list, exact: true }).waitFor();
}

/** Goes to a list, then into its first row. */
async function intoFirst(page: Page, list: string, path: string): Promise<void> {
  await toList(page, list);
  await firstLinkTo(page, path).click();
}

export const PAGES: PageOfApp[] = [
  { name: 'issues', open: (page) => place(page, 'Issues') },
  { name: 'issue', open: (page) => intoFirst(page, 'Issues', '/issues/') },
  { name: 'calls', open: (page) => place(page, 'Calls') },
  { name: 'call', open: (page) => intoFirst(page, 'Calls', '/calls/') },
  { name: 'metrics', open: (page) => place(page, 'Metrics') },
  { name: 'calls of a metric', open: (page) => intoFirst(page, 'Metrics', '/metrics/') },
  { name: 'flow', open: (page) => place(page, 'Flow') },
  { name: 'coverage', open: (page) => place(page, 'Coverage') },
  { name: 'drafts', open: (page) => place(page, 'Drafts') },
  { name: 'goals', open: (page) => place(page, 'Goals') },
  { name: 'versions', open: (page) => place(page, 'Versions') },
  { name: 'comparison', open: (page) => intoFirst(page, 'Versions', '/compare/') },
  { name: 'tests', open: (page) => place(page, 'Tests') },
  { name: 'test', open: (page) => intoFirst(page, 'Tests', '/tests/') },
  { name: 'runs', open: (page) => place(page, 'Runs') },
  { name: 'run', open: (page) => intoFirst(page, 'Runs', '/runs/') },
  {
    name: 'attempt',
    async open(page) {
      await intoFirst(page, 'Runs', '/runs/');
      await page.locator('details summary').first().click();
      await firstLinkTo(page, '/attempts/').click();
    },
  },
  { name: 'watches', open: (page) => place(page, 'Watches') },
  { name: 'alarms', open: (page) => place(page, 'Alarms') },
  {
    name: 'watch',
    async open(page) {
      await toList(page, 'Watches');
      await page.locator('main tbody a').first().click();
      await page.getByRole('heading', { name: 'What is expected' }).waitFor();
    },
  },
  {
    name: 'new watch',
    async open(page) {
      await toList(page, 'Watches');
      await page.getByRole('link', { name: 'New watch' }).click();
      await page.getByLabel('What is expected').waitFor();
    },
  },
  { name: 'imports', open: (page) => place(page, 'Imports') },
  { name: 'import', open: (page) => intoFirst(page, 'Imports', '/imports/') },
  { name: 'audit log', open: (page) => place(page, 'Audit log') },
  { name: 'settings of the agent', open: (page) => place(page, 'Settings') },
  {
    name: 'brief',
    async open(page) {
      await place(page, 'Settings');
      await page.getByRole('link', { name: 'Brief', exact: true }).click();
    },
  },
  {
    name: 'intents',
    async open(page) {
      await place(page, 'Settings');
      await page.getByRole('link', { name: 'Intents', exact: true }).click();
      await page
        .getByRole('button', { name: /^Merge / })
        .first()
        .waitFor();
    },
  },
  {
    name: 'new test',
    async open(page) {
      await toList(page, 'Tests');
      await page.getByRole('link', { name: 'New test' }).click();
      await page.getByLabel('What the caller wants').waitFor();
    },
  },
  {
    name: 'erased calls',
    async open(page) {
      await place(page, 'Settings');
      await page.getByRole('link', { name: 'Erased calls' }).click();
      await page.getByText('Nothing was erased').waitFor();
    },
  },
  {
    name: 'connect an agent',
    async open(page) {
      await page.goto(new URL('/agents/new', page.url()).href);
      await page.getByLabel('Key of the platform').waitFor();
    },
  },
  { name: 'keys and members', open: (page) => workspacePlace(page, 'Workspace') },
  { name: 'connections', open: (page) => settingsTab(page, 'Connections') },
  { name: 'webhooks', open: (page) => settingsTab(page, 'Webhooks') },
  { name: 'messages', open: (page) => settingsTab(page, 'Messages') },
  { name: 'plan', open: (page) => settingsTab(page, 'Plan') },
  { name: 'retention', open: (page) => settingsTab(page, 'Retention') },
  { name: 'waiting for you', open: (page) => workspacePlace(page, 'Waiting for you') },
  { name: 'system', open: (page) => workspacePlace(page, 'System') },
];

/** Until the page that was asked for stands in the place of the one before, with all that it asked for. */
export async function untilShown(page: Page): Promise<void> {
  // By then a click has begun what it leads to.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await page.locator('main:not([aria-busy="true"])').waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Also those that are not seen yet: a quick answer shows none.
  await page.locator('[role="status"][aria-label="Loading"]').first().waitFor({ state: 'detached' });
}
