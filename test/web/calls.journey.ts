import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { useJourney } from '../support/web-journey.ts';
import { violations } from '../support/web-visitor.ts';

const path = findBrowser();

describe.skipIf(path === null)('calls', () => {
  const visit = useJourney(path);

  test('a call is erased for good, with a report, and is not there any more', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('row').nth(3).getByRole('link').click();
    await page.getByRole('link', { name: 'Erase this call…' }).click();
    const callId = await page.getByLabel('Ids of calls').inputValue();
    await page.getByLabel('Reason').fill('They asked for it.');
    await page.getByLabel('I know that nothing brings it back').check();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Erase for good' }).click();
    const report = page.getByRole('listitem').filter({ hasText: 'They asked for it.' });
    await report.getByText('complete', { exact: true }).waitFor({ timeout: 60_000 });
    await report.getByText('What was removed').click();
    const list = page.url().replace(/erasures.*$/, '');
    await page.goto(`${list}calls/${callId}`);
    await page.getByRole('alert').getByText('Not found').waitFor();
  });

  test('the calls of a narrowed list are downloaded as a table, each of them once', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('button', { name: 'Outcome' }).click();
    await page.getByRole('menuitem', { name: 'Abandoned' }).click();
    await page.waitForURL(/outcome=abandoned/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const rows = parse(readFileSync(await file.path()), { bom: true, columns: true }) as Record<string, string>[];
    const said = await page.getByText(/ with these filters$/).innerText();
    expect(said).toMatch(new RegExp(`^${rows.length} calls? `));
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['abandoned']));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    await page.getByRole('button', { name: /^Drop the filter/ }).click();
  });

  test('one line finds calls by words and fields, stands in the address, and says what is wrong with it', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Calls' }).click();
    const line = page.getByRole('searchbox', { name: 'Search and filter calls' });
    await line.fill('said:the -outcome:resolved');
    await line.press('Enter');
    await page.waitForURL(/filter=said/);
    await page
      .getByText(/^Turn \d+$/)
      .first()
      .waitFor();
    await line.fill('outcom:resolved');
    await line.press('Enter');
    await page.getByText(/Did you mean outcome\?/).waitFor();
    await line.fill('');
    await line.press('Enter');
    await page.getByRole('row').nth(3).waitFor();
    expect(page.url()).not.toContain('filter');
  });

  test('a narrowed list is saved under a name, found again, and forgotten', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('button', { name: 'Outcome' }).click();
    await page.getByRole('menuitem', { name: 'Abandoned' }).click();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByLabel('Name').fill('Given up');
    await page.getByRole('button', { name: 'Save the view' }).click();
    const menu = page.getByRole('button', { name: 'Given up' });
    await menu.waitFor();
    const address = page.url();
    await places.getByRole('link', { name: 'Issues' }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Given up: Calls' }).click();
    await expect.poll(() => page.url()).toBe(address);
    expect(await violations(page)).toEqual([]);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Forget this view' }).click();
    await page.getByRole('button', { name: 'Views' }).waitFor();
  });

  test('an intent is renamed, another merged into it, and calls are found under the new name', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Coverage' }).click();
    await page.getByRole('link', { name: 'Intent', exact: true }).click();
    const intents = page.getByRole('group', { name: 'Intents' }).getByRole('row');
    await intents.nth(2).waitFor();
    const before = await intents.count();
    await intents
      .nth(1)
      .getByRole('button', { name: /^Rename / })
      .click();
    await page.getByLabel('Name', { exact: true }).fill('Get an appointment');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByText('named by a person').waitFor();
    await intents
      .nth(2)
      .getByRole('button', { name: /^Merge / })
      .click();
    await page.getByLabel('Merge into').selectOption({ label: 'Get an appointment' });
    expect(await violations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await expect.poll(() => intents.count()).toBe(before - 1);
    await page.getByRole('link', { name: 'Get an appointment' }).click();
    await page.getByRole('button', { name: 'Drop the filter Get an appointment' }).waitFor();
    await page.getByRole('row').nth(1).waitFor();
  });

  test('a call is heard: a turn that is chosen plays, also before the recording is loaded, and what is heard is marked', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('row').filter({ hasText: 'Resolved' }).first().getByRole('link').click();
    const held = Promise.withResolvers<void>();
    await page.route('**/recording', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Listen to the call' }).click();
    const fourth = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem').nth(3);
    // Before anything of the recording has come: it plays as soon as it can.
    await fourth.getByRole('button').first().click();
    expect(await page.locator('audio').count()).toBe(0);
    held.resolve();
    await page.getByLabel('Recording of the call').waitFor();
    await expect.poll(() => page.evaluate<number>('document.querySelector("audio").currentTime')).toBeGreaterThan(1);
    await page.locator('[aria-current="time"]').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press(' ');
    await expect.poll(() => page.evaluate<boolean>('document.querySelector("audio").paused')).toBe(true);
    await page.unroute('**/recording');
  });
});
