import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { useJourney } from '../support/web-journey.ts';
import { violations } from '../support/web-visitor.ts';

const path = findBrowser();

describe.skipIf(path === null)('from an issue to a change that is live', () => {
  const visit = useJourney(path);

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
    await page.getByRole('button', { name: 'Save change' }).click();
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
    await page.getByRole('button', { name: 'Start the run' }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 90_000 });
    // What is tested by itself once it is live costs more than nothing.
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Monthly test budget, in USD').fill('0');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Saved.').waitFor();
    await page.goto(draft);
    await page.getByRole('button', { name: 'Publish' }).click();
    const sheet = page.getByRole('dialog', { name: 'Publish this text?' });
    await sheet.getByText(/passed on exactly this text$/).waitFor();
    expect(await violations(page)).toEqual([]);
    await sheet.getByRole('button', { name: 'Publish revision 2' }).click();
    await page.getByText(/^Live as version \d+ since/).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Roll back' }).click();
    const rollBack = page.getByRole('dialog', { name: /^Roll back version/ });
    await rollBack.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText(/^Taken back on/).waitFor({ timeout: 60_000 });
  });

  test('an automatic run over the budget waits for a person, who refuses it with a reason, at 320 px', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Waiting for you' }).click();
    await page.getByRole('link', { name: 'Decide' }).first().click({ timeout: 60_000 });
    await page.getByRole('heading', { level: 1, name: 'Decide about a run' }).waitFor();
    await page.getByText(/^0 cells; \d+ would not run$/).waitFor();
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

  test('a test is made from an issue; form and file change each other, and what is wrong is said at its field', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Issues' }).click();
    await page.getByRole('list').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Make a test' }).click();
    await page.getByRole('status').getByRole('link').click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const file = page.getByLabel('File', { exact: true });
    const goal = page.getByLabel('What the caller wants');
    const whole = JSON.parse(await file.inputValue());
    await file.fill(JSON.stringify({ ...whole, spec: { ...whole.spec, criteria: [] } }));
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('spec.criteria', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await file.fill('{');
    await page.getByText(/^This isn’t valid JSON yet/).waitFor();
    expect(await goal.isDisabled()).toBe(true);
    await file.fill(JSON.stringify(whole));
    await goal.fill('Be told the truth.');
    expect(JSON.parse(await file.inputValue()).spec.caller.goal).toBe('Be told the truth.');
    await page.getByLabel('Title').fill('The truth');
    // What was typed waits in the tab.
    await page.getByRole('link', { name: 'Tests', exact: true }).first().click();
    await page.goBack();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await goal.inputValue()).toBe('Be told the truth.');
    await page.getByRole('button', { name: 'Save test' }).click();
    await page.getByRole('heading', { level: 1, name: 'The truth' }).waitFor();
    await page.getByText('Be told the truth.').waitFor();
    await page.getByText(/· revision 2/).waitFor();
    await page.getByRole('button', { name: 'Run this test' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Plays only this test\./)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('a test is written in the form, deleted and restored', async () => {
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Pages of the agent' });
    await places.getByRole('link', { name: 'Tests' }).click();
    await page
      .getByRole('link', { name: /^(Passed|Failed)$/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'New test' }).click();
    await page.getByLabel('Title').fill('Says goodbye');
    await page.getByLabel('What the caller wants').fill('Hang up.');
    await page.getByLabel('First words').fill('Bye.');
    await page.getByLabel('What the caller knows').fill('name: Ada Brook\nroom: 4: left');
    await page.getByRole('textbox', { name: 'What must hold' }).fill('Says goodbye.');
    await page.getByLabel('Decided by').selectOption('said');
    await page.getByLabel('Words', { exact: true }).fill('goodbye');
    await page.getByRole('button', { name: 'Add answer' }).click();
    await page.getByLabel('Tool', { exact: true }).fill('find_times');
    await page.getByLabel('Answer', { exact: true }).fill('{"times": [');
    await page.getByRole('button', { name: 'Remove answer 1' }).click();
    await page.getByRole('button', { name: 'Create test' }).click();
    await page.getByRole('heading', { level: 1, name: 'Says goodbye' }).waitFor();
    await page.getByText('4: left').waitFor();
    await page.getByText('Never played').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the test' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
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
    await page.getByRole('link', { name: 'Read the plan' }).first().waitFor();
    await page.getByRole('link', { name: 'Label its samples' }).first().click();
    await page.getByText('Calls on which it did not hold').waitFor();
  });
});
