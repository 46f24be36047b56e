import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { useJourney } from '../support/web-journey.ts';
import { violations } from '../support/web-visitor.ts';

const path = findBrowser();

describe.skipIf(path === null)('a workspace and its agents', () => {
  let mail: MailServer;
  const visit = useJourney(path, async () => {
    mail = await startMailServer();
    return { EARSHOT_SMTP_URL: mail.url, EARSHOT_MAIL_FROM: 'Earshot <earshot@example.com>' };
  });
  afterAll(() => mail?.close());

  test('a webhook shows its secret once, and is gone after it was deleted', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Workspace', exact: true }).click();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Address').fill('https://198.51.100.7/earshot');
    await page.getByRole('button', { name: 'Make the webhook' }).click();
    const refusal = page.getByRole('alert');
    await refusal.waitFor();
    await page.getByLabel('Address').fill('https://8.8.8.8/earshot');
    await page.getByRole('button', { name: 'Make the webhook' }).click();
    const secret = page.getByRole('dialog', { name: 'Copy the secret now' });
    await secret.getByText(/^whsec_/).waitFor();
    await secret.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'https://8.8.8.8/earshot' }).click();
    await page.getByText('Nothing was posted yet').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });

  test('without a model the copilot says why it can’t be asked', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Copilot', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Copilot' });
    await panel.getByText(/No model is configured/).waitFor();
    expect(await panel.getByRole('button', { name: 'Ask' }).getAttribute('aria-disabled')).toBe('true');
    await panel.getByRole('button', { name: 'Close the copilot' }).click();
    await panel.waitFor({ state: 'detached' });
  });

  test('somebody invited is made an admin and removed; the last admin stays one', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Keys and members' }).click();
    await page.getByRole('button', { name: 'Make member: First admin' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('E-mail').fill('grace@example.org');
    await page.getByRole('button', { name: 'Make the invitation' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Make admin: Grace Hopper' }).click();
    await page.getByRole('button', { name: 'Make member: Grace Hopper' }).waitFor();
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click();
    await page.getByRole('button', { name: 'Remove from the workspace' }).click();
    await page.getByText('grace@example.org').waitFor({ state: 'hidden' });
  });

  test('an allowance that is set stands in place of the plan’s own', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await page.getByLabel('Simulated test calls a period').fill('40');
    await page.getByRole('button', { name: 'Change the plan' }).click();
    await page.getByText('of 40').waitFor();
  });

  test('every part of the installation is said to be good, waiting or failing', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the workspace' });
    await places.getByRole('link', { name: 'System' }).click();
    const workers = page.getByRole('listitem').filter({ hasText: 'Workers' });
    await workers.getByText('✓ good').waitFor();
  });

  test('what other thresholds would change is shown before they are kept, and other settings are kept', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('times of Agent asks to repeat').fill('1');
    await page.getByRole('button', { name: 'See what would change' }).click();
    await page.getByRole('cell', { name: 'Agent asks to repeat' }).waitFor();
    await page.getByLabel('Grace days').fill('9');
    await page.getByRole('button', { name: 'Keep the settings' }).click();
    await page.getByText('Kept.').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Grace days').inputValue()).toBe('9');
  });

  test('a shorter time for calls is kept once it is ticked that nothing brings them back, for an agent and for all', async () => {
    const { page } = visit;
    const payloads = page.getByLabel('Days: what platforms sent');
    const keep = page.getByRole('button', { name: 'Keep these times' });
    await page.getByLabel('What platforms sent', { exact: true }).selectOption('days');
    await payloads.fill('7');
    expect(await keep.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('I know that nothing brings it back').check();
    await keep.click();
    await page.getByText('Kept.').waitFor();
    await page.reload();
    await expect.poll(() => payloads.inputValue()).toBe('7');
    await page.getByLabel('What platforms sent', { exact: true }).selectOption('workspace');
    await keep.click();
    await page.getByText('Kept.').waitFor();
    await page.getByRole('link', { name: 'Workspace', exact: true }).click();
    await page.getByRole('link', { name: 'Retention', exact: true }).click();
    await page.getByLabel('The call itself').selectOption('days');
    await page.getByLabel('Days: the call itself').fill('3000');
    await page.getByLabel('I know that nothing brings it back').check();
    expect(await violations(page)).toEqual([]);
    await keep.click();
    await page.getByText('Kept.').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Days: the call itself').inputValue()).toBe('3000');
    await page.getByRole('link', { name: 'Waiting for you' }).click();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
  });

  test('the audit log shows what a key was refused', async () => {
    const { page, system } = visit;
    const agentId = /\/a\/([^/]+)/.exec(page.url())?.[1];
    const key = await makeWriteKey(page);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await fetch(`${system.url}/v1/agents/${agentId}/runs`, { method: 'POST', headers, body: '{"testIds": "all"}' });
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Audit log' }).click();
    const entry = page.getByRole('row').filter({ hasText: 'startRun' });
    await entry.getByText('400 refused').waitFor();
    await entry.getByText('Continuous integration (key)').waitFor();
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

  test('an issue is given an owner and put to rest', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Issues' }).click();
    await page.getByRole('list').getByRole('link').first().click();
    await page.getByLabel('Owner').selectOption({ label: 'First admin' });
    await page.getByRole('button', { name: 'Snooze: a week' }).click();
    await page.getByText(/Snoozed by First admin until/).waitFor();
    await page.getByRole('button', { name: 'End the snooze' }).click();
    await page.getByText('It ends early when the issue grows or comes back.').waitFor();
  });

  test('a draft begins from an issue, and a change of its text shows line by line', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Open a draft' }).click();
    await page.getByText('Nothing differs from the base yet.').waitFor();
    await page.getByLabel('Place', { exact: true }).selectOption('/prompt');
    const text = page.getByLabel(/^Text of /);
    await text.fill((await text.inputValue()).replace('short and friendly', 'short, friendly and exact'));
    await page.getByRole('button', { name: 'Keep the change' }).click();
    await page
      .getByRole('group', { name: /^Lines of / })
      .getByText('friendly and exact')
      .waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).getAttribute('aria-disabled')).toBe('true');
  });

  test('once the tests ran on exactly this text it is published, shown live, and rolled back', async () => {
    const { page } = visit;
    const draft = page.url();
    await page.getByRole('button', { name: 'Run all tests on it' }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 90_000 });
    // What is tested by itself once it is live costs more than nothing.
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Budget of tests a month, in USD').fill('0');
    await page.getByRole('button', { name: 'Keep the settings' }).click();
    await page.getByText('Kept.').waitFor();
    await page.goto(draft);
    await page.getByRole('button', { name: 'Publish' }).click();
    const sheet = page.getByRole('dialog', { name: 'Publish this text?' });
    await sheet.getByText(/passed on exactly this text$/).waitFor();
    expect(await violations(page)).toEqual([]);
    await sheet.getByRole('button', { name: 'Publish revision 2' }).click();
    await page.getByText(/^Live as version \d+ since/).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('button', { name: 'Make the text from before live' }).click();
    await page.getByText(/^Taken back on/).waitFor({ timeout: 60_000 });
  });

  test('an automatic run over the budget waits for a person, who refuses it with a reason, at 320 px', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Waiting for you' }).click();
    await page.getByRole('link', { name: 'Decide' }).first().click({ timeout: 60_000 });
    await page.getByRole('heading', { level: 1, name: 'Decide about a run' }).waitFor();
    const phone = await page.context().newPage();
    await phone.setViewportSize({ width: 320, height: 700 });
    await phone.goto(page.url());
    await phone.getByRole('button', { name: 'Refuse' }).waitFor();
    expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
    expect(await violations(phone)).toEqual([]);
    await phone.getByLabel('Reason for refusing').fill('Not before the holidays.');
    await phone.getByRole('button', { name: 'Refuse' }).click();
    await phone.waitForURL(/\/runs\/[^/]+$/);
    await phone
      .getByText(/Not before the holidays\./)
      .first()
      .waitFor();
    await phone.close();
  });

  test('a draft that begins with nothing is discarded', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Drafts', exact: true }).click();
    await page.getByRole('button', { name: 'New draft' }).click();
    await page.getByLabel('Title').fill('Friendlier');
    await page.getByRole('button', { name: 'Open the draft' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByText('discarded').first().waitFor();
  });

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
    await page.getByText('There is no such thing here').waitFor();
    await page.goto(`${list}issues`);
  });

  test('a test is made of an issue; what is wrong in its spec is said at its field, and a sound one is kept', async () => {
    const { page } = visit;
    await page.getByRole('list').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Make a test' }).click();
    await page.getByRole('status').getByRole('link').click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const field = page.getByLabel('Spec', { exact: true });
    const spec = JSON.parse(await field.inputValue());
    await field.fill(JSON.stringify({ ...spec, criteria: [] }));
    await page.getByRole('button', { name: 'Check it' }).click();
    await page.getByText('spec.criteria', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await field.fill(JSON.stringify({ ...spec, caller: { ...spec.caller, goal: 'Be told the truth.' } }));
    await page.getByRole('button', { name: 'Keep as revision 2' }).click();
    await page.getByText('Be told the truth.').waitFor();
    await page.getByText(/revision 2/).waitFor();
  });

  test('the result of a run is downloaded as the API has it', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Runs' }).click();
    await page.locator('main a[href*="/runs/"]').last().click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
    ]);
    const document = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect(page.url()).toContain(document.batchId);
  });

  test('a goal in words gets a plan of tests, which a person approves', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Goals' }).click();
    await page.getByRole('button', { name: 'New goal' }).click();
    await page.getByLabel('Title').fill('People reach a person');
    await page.getByLabel('What you want').fill('Callers who ask for a person reach one.');
    await page.getByRole('button', { name: 'Make the goal' }).click();
    await page.getByRole('button', { name: 'Approve the plan' }).click();
    await page.getByText('approved').first().waitFor();
  });

  test('what waits for a person is listed by agent', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Waiting for you' }).click();
    await page.getByRole('link', { name: 'Label its samples' }).first().click();
    await page.getByText('Calls on which it did not hold').waitFor();
  });

  test('a channel is made, hears of what it is told, and is tried; its log says what the server said', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Workspace', exact: true }).click();
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByRole('button', { name: 'New channel' }).click();
    await page.getByLabel('Way').selectOption('email');
    await page.getByLabel('Address', { exact: true }).fill('team@example.org');
    await page.getByLabel('Name', { exact: true }).fill('The team');
    await page.getByLabel('Sent', { exact: true }).selectOption('weekly');
    await page.getByLabel(/^Quiet hours/).check();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make the channel' }).click();
    await page.getByRole('heading', { level: 1, name: 'The team' }).waitFor();
    await page.getByText(/on mondays at 9:00, quiet 22:00 to 07:00/).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    // The server itself waits for half a minute, and then the page goes on looking.
    await page.getByText('✓ It got through.').waitFor({ timeout: 60_000 });
    await page.getByRole('cell', { name: 'delivered' }).waitFor();
    expect(mail.received.flatMap(({ to }) => to)).toEqual(['team@example.org']);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the channel' }).click();
    await page.getByText('No channels yet').waitFor();
  });

  test('a wrong key gets its reason in place; a right one leads through the brief to the first import', async () => {
    const { page, system } = visit;
    await page.goto(`${system.url}/agents/new`);
    await page.getByLabel('Platform', { exact: true }).selectOption('demo');
    await page.getByLabel('Key of the platform').fill('wrong');
    await page.getByRole('button', { name: 'Check the key' }).click();
    await page.getByRole('button', { name: 'Check this key' }).waitFor();
    await page.getByLabel('Key of the platform').fill('demo');
    await page.getByRole('button', { name: 'Check this key' }).click();
    await page
      .getByRole('button', { name: /^Connect / })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Rules of its text' }).waitFor();
    const ask = page.getByRole('main').getByRole('button', { name: 'Ask', exact: true });
    await expect.poll(() => ask.getAttribute('aria-disabled')).toBe('true');
    await ask.hover();
    await page.getByRole('tooltip').filter({ hasText: 'No model is configured' }).waitFor();
    await page.getByRole('button', { name: 'Approve and import calls' }).click();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('Complete').first().waitFor({ timeout: 90_000 });
  });
});

async function makeWriteKey(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Workspace', exact: true }).click();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Continuous integration');
  await page.getByLabel('Access').selectOption('write');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy the key now' });
  const key = await shown.getByText(/^svc_/).innerText();
  await shown.getByRole('button', { name: 'Done' }).click();
  return key;
}
