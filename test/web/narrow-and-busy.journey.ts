import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { useJourney } from '../support/web-journey.ts';
import { PAGES, untilShown } from '../support/web-pages.ts';
import { signIn, violations } from '../support/web-visitor.ts';

const PATIENTLY = { timeout: 30_000 };
const path = findBrowser();

describe.skipIf(path === null)('the web app, at length', () => {
  const visit = useJourney(path);

  test('triage: a status is set with its reason, the history shows who, and a second window sees it without reloading', async () => {
    const { page } = visit;
    await page.getByRole('list').getByRole('link').first().click();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByRole('button', { name: 'Change status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change status' });
    await dialog.getByLabel('Reason').fill('The carrier is being asked.');
    await dialog.getByRole('button', { name: 'Change status' }).click();
    await page.getByText('The carrier is being asked.').waitFor();
    await other.getByText('The carrier is being asked.').waitFor();
    await other.close();
  });

  test('evidence: n and p walk through the calls of an issue', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Open the call at this turn' }).waitFor();
    const first = await page.getByRole('link', { name: 'Open the call at this turn' }).getAttribute('href');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('n');
    await page.getByText(/^2 of /).waitFor();
    const link = page.getByRole('link', { name: 'Open the call at this turn' });
    await expect.poll(() => link.getAttribute('href'), PATIENTLY).not.toBe(first);
    await page.keyboard.press('p');
    await expect.poll(() => link.getAttribute('href'), PATIENTLY).toBe(first);
  });

  test('a call steps to the next one within the filters that its reader came with', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('button', { name: 'Outcome' }).click();
    await page.getByRole('menuitem', { name: 'Abandoned' }).click();
    await page.getByRole('row').filter({ hasText: 'Abandoned' }).first().getByRole('link').click();
    await page.getByRole('link', { name: 'Older call' }).click();
    await page.getByRole('link', { name: 'Newer call' }).waitFor();
    await page.getByText('Abandoned').first().waitFor();
    await page.getByRole('link', { name: '← Calls' }).click();
    await page.waitForURL(/outcome=abandoned/);
  });

  test('only rows that are looked at are in the document', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page
      .getByRole('button', { name: /Drop the filter/ })
      .click({ timeout: 2_000 })
      .catch(() => {});
    await page.getByRole('row').nth(5).waitFor();
    for (let screen = 0; screen < 10; screen += 1) await page.mouse.wheel(0, 1_500);
    await page.getByRole('row').nth(5).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(200);
  });

  test('on the shared demo agent nothing can be changed, and the reason is said', async () => {
    const { page } = visit;
    await page.goto(`${visit.system.url}/agents`);
    await page.getByRole('listitem').filter({ hasText: 'read-only' }).getByRole('link').first().click();
    await page.getByText('This is the shared demo agent.').first().waitFor();
    await page.getByRole('list').getByRole('link').first().click();
    const button = page.getByRole('button', { name: 'Change status' });
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.focus();
    await page.getByRole('tooltip').filter({ hasText: 'Copy it to your workspace' }).waitFor();
  });

  test('what is not there, and what is not yours, is the same page', async () => {
    const { page } = visit;
    await page.goto(`${visit.system.url}/a/00000000-0000-7000-8000-000000000000/issues`);
    await page.getByText('Not found', { exact: true }).waitFor();
    const answer = await page.goto(`${visit.system.url}/no/such/page`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  });

  test('signing out ends at the sign-in, and signing in comes back to the address', async () => {
    const { page } = visit;
    await page.goto(visit.system.url);
    await page.getByRole('link', { name: 'Metrics', exact: true }).click();
    await page.waitForURL(/\/metrics$/);
    const address = page.url();
    await page.context().clearCookies();
    await page.goto(address);
    await page.waitForURL(/\/sign-in/);
    expect(await violations(page)).toEqual([]);
    await signIn(page);
    await page.waitForURL(address);
  });

  test.each(['light', 'dark'] as const)(
    'at 320 px nothing scrolls sideways and WCAG holds, in the %s theme',
    async (theme) => {
      const { page } = visit;
      // The workspace's own agent has pages that the shared one lacks.
      await page.goto(`${visit.system.url}/agents`);
      await page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ hasNotText: 'read-only' })
        .getByRole('link')
        .first()
        .click();
      await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
      await page.setViewportSize({ width: 320, height: 700 });
      await page.emulateMedia({ colorScheme: theme });
      const found: Record<string, unknown> = {};
      for (const { name, open } of PAGES) {
        await page.getByRole('button', { name: 'Menu' }).click();
        await open(page);
        await untilShown(page);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        const broken = await violations(page);
        if (wide > 320 || broken.length > 0) found[name] = { wide, broken };
      }
      expect(found).toEqual({});
    },
  );

  test('two tabs are in two workspaces, each in its own after it was reloaded', async () => {
    const { page, system } = visit;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${system.url}/settings`);
    const other = await page.context().newPage();
    await other.goto(`${system.url}/settings`);
    const profile = (of: Page) => of.getByRole('button', { name: 'First admin', exact: true });
    await profile(other).click();
    await other.getByRole('menuitem', { name: 'New workspace…' }).click();
    await other.getByLabel('Name').fill('Second <b>house</b>');
    await other.getByRole('button', { name: 'Make the workspace' }).click();
    await other.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
    await other.goto(`${system.url}/settings`);
    await other.getByText('Second <b>house</b>').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Keys and members' }).waitFor();
    await page
      .getByText(/@example.org/)
      .first()
      .waitFor();
    expect(await page.getByText('Second <b>house</b>').count()).toBe(0);
    await other.reload();
    await other.getByText('Second <b>house</b>').waitFor();
    await profile(other).click();
    expect(await violations(other)).toEqual([]);
    await other.close();
  });
});
