import type { Browser, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findTemporalBinary } from '../../packages/embedded/temporal-binary.js';
import { findBrowser, openBrowser } from '../support/browser.ts';
import { PAGES, untilShown } from '../support/web-pages.ts';
import { startWebSystem, type WebSystem } from '../support/web-system.ts';
import { newVisitor, signIn, useFirstLink, type Visitor, violationsInBothThemes } from '../support/web-visitor.ts';

const path = findBrowser();
let system: WebSystem;
let browser: Browser;
let visitor: Visitor;

describe.skipIf(path === null || !findTemporalBinary() || !inject('temporalAddress'))('the web app', () => {
  beforeAll(async () => {
    [system, browser] = await Promise.all([startWebSystem(), openBrowser(path ?? '')]);
    visitor = await newVisitor(browser);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  test('the one-time link leads to the issues, and from there two keys lead to the second of the worst call', async () => {
    const { page, complaints } = visitor;
    await useFirstLink(page, system);
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
    const first = page.locator('main [data-row]').first();
    await first.waitFor();
    const title = await first.innerText();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: new RegExp(`^${title}`) }).waitFor();
    const open = page.getByRole('link', { name: 'Open the call at this turn' });
    await open.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/calls\/[^#]+#turn-\d+$/);
    const turn = new URL(page.url()).hash;
    await page.locator(`li${turn}:focus`).waitFor();
    expect(complaints).toEqual([]);
  });

  test('nothing runs or loads that the content policy does not know', async () => {
    const answer = await fetch(system.url);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).not.toMatch(/unsafe/);
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style| style=/);
    // The tests' own environment would ask for React as it is for development.
    expect(html).not.toMatch(/jsx-dev-runtime/);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(system.url + script, { headers: { 'accept-encoding': 'gzip' } });
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('gzip');
  });

  test('the reference has an origin of its own, and asks the API with what is typed there alone', async () => {
    const page = await visitor.page.context().newPage();
    const answer = await page.goto(`${system.url}/reference`);
    expect(answer?.headers()['content-security-policy']).not.toMatch(/unsafe/);
    await page.frameLocator('iframe').getByRole('heading', { level: 1, name: 'Earshot' }).first().waitFor();
    const inside = page.frame({ url: /\/reference\/page/ });
    const within = (script: string) => inside?.evaluate<unknown>(script);
    expect(await within('self.origin')).toBe('null');
    await expect(within('document.cookie')).rejects.toThrow(/sandboxed/);
    await expect(within("fetch('/v1/agents')")).rejects.toThrow(/Failed to fetch/);
    await expect(within("ask('https://example.com/')")).rejects.toThrow(/Only this server/);
    // With the session of this browser it would answer a token.
    expect(await within("ask('/app/session', { method: 'POST' }).then(({ status }) => status)")).toBe(401);
    expect(await within("ask('/v1/signals').then(({ status }) => status)")).toBe(401);
    await page.close();
  });

  test('filters of the calls stand in the address, and another window shows the same rows', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('button', { name: 'Outcome' }).click();
    await page.getByRole('menuitem', { name: 'Abandoned' }).click();
    await page.waitForURL(/outcome=abandoned/);
    const rows = page.getByRole('row').filter({ hasText: 'Abandoned' });
    await rows.first().waitFor();
    const shown = await rows.first().innerText();
    const other = await page.context().newPage();
    await other.goto(page.url());
    const same = other.getByRole('row').filter({ hasText: 'Abandoned' }).first();
    await same.waitFor();
    expect(await same.innerText()).toBe(shown);
    await other.close();
  });

  test('the palette is typed into as soon as it opens, and finds pages, issues and calls by their ids', async () => {
    const { page } = visitor;
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    const callId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await palette.waitFor();
    await page.keyboard.type('metr');
    await palette.getByRole('option', { name: 'Metrics', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Metrics' }).waitFor();
    await page.keyboard.press('/');
    await palette.waitFor();
    await page.keyboard.type(callId);
    await palette.getByRole('group', { name: 'Calls' }).getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/calls/${callId}$`));
  });

  test('seven tabs share one stream of events, and each shows its page and goes on to the next', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Issues', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
    const streams = new Set<Request>();
    const opened = (request: Request) => new URL(request.url()).pathname === '/app/events' && streams.add(request);
    const ended = (request: Request) => streams.delete(request);
    const context = page.context();
    context.on('request', opened).on('requestfailed', ended).on('requestfinished', ended);
    const tabs: Page[] = [];
    for (let tab = 0; tab < 7; tab += 1) {
      const other = await context.newPage();
      tabs.push(other);
      await other.goto(page.url());
      await other.getByRole('list').getByRole('link').first().waitFor();
    }
    for (const tab of tabs) {
      await tab.getByRole('link', { name: 'Calls', exact: true }).click();
      await tab.getByRole('row').nth(1).waitFor();
    }
    // That of the first page began before anybody counted.
    expect(streams.size).toBe(0);
    await page.goto('about:blank');
    await expect.poll(() => streams.size, { timeout: 30_000 }).toBe(1);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
    for (const tab of tabs) await tab.close();
    context.off('request', opened).off('requestfailed', ended).off('requestfinished', ended);
  });

  test('a session that ends while somebody types loses nothing', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Issues', exact: true }).click();
    await page.getByRole('list').getByRole('link').first().click();
    await page.getByLabel('Add a comment').fill('The carrier blocks our sender id.');
    // The browser forgets the session, and the token in the page is no longer taken.
    await page.context().clearCookies();
    const forget = (route: Route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer gone' } });
    await page.route('**/comments', forget, { times: 1 });
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await signIn(page);
    await page.getByRole('listitem').filter({ hasText: 'The carrier blocks our sender id.' }).waitFor();
  });

  test('the server gone and back: what was loaded stays, and the page says so', async () => {
    const { page } = visitor;
    const title = await page.getByRole('heading', { level: 1 }).innerText();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page
      .getByText(/Not connected since/)
      .first()
      .waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.context().setOffline(false);
    await page
      .getByText(/Not connected since/)
      .first()
      .waitFor({ state: 'hidden' });
  });

  test('every page keeps to WCAG 2.2 AA in the light theme and the dark one', async () => {
    const { page } = visitor;
    await page.goto(system.url);
    const found: Record<string, string[]> = {};
    for (const { name, open } of PAGES) {
      await open(page);
      await untilShown(page);
      const broken = await violationsInBothThemes(page);
      if (broken.length > 0) found[name] = broken;
    }
    expect(found).toEqual({});
  });
});
