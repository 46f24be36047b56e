import { describe, expect, test } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { useJourney } from '../support/web-journey.ts';
import { violations } from '../support/web-visitor.ts';

const path = findBrowser();

describe.skipIf(path === null)('watches', () => {
  const visit = useJourney(path);

  test('samples are labelled by keys, and only above the bar is the watch turned on', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Watches', exact: true }).click();
    await page.getByRole('link', { name: 'To review', exact: true }).click();
    await page.waitForURL(/state=review/);
    await page.locator('main tbody a').first().click();
    const turnOn = page.getByRole('button', { name: 'Turn on' });
    await turnOn.waitFor();
    expect(await turnOn.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('10 flagged samples have to be labelled, 0 are.').waitFor();
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('j');
    for (let sample = 1; sample <= 10; sample += 1) {
      await page.keyboard.press('y');
      await page.getByText(new RegExp(`^${sample} of \\d+ labelled$`)).waitFor();
    }
    await page.getByText('The bar is met').waitFor();
    expect(await violations(page)).toEqual([]);
    await turnOn.click();
    await page.getByText('It is live: each newly analyzed call is judged.').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await turnOn.waitFor();
  });

  test('other words make the next revision, whose labels begin at none', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'What is expected' }).fill('Hand over to a person.');
    await page.getByRole('button', { name: 'See how it is read' }).click();
    await page.getByText('decided by code').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(/revision 2/).waitFor();
    await page.getByText('0 of 10 labelled').waitFor();
  });

  test('a watch in words is shown as code reads it, and what only a model can judge says so', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Watches', exact: true }).click();
    await page.getByRole('link', { name: 'New watch' }).click();
    await page.getByLabel('Name').fill('Kind to everybody');
    await page.getByRole('textbox', { name: 'What is expected' }).fill('Be kind to everybody.');
    await page.getByRole('button', { name: 'See how it is read' }).click();
    await page.getByText('needs a model').waitFor();
    await page.getByRole('button', { name: 'Create watch' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kind to everybody' }).waitFor();
    await page.getByText('Only a model can judge what it expects').first().waitFor();
  });

  test('an alarm is tried on the past, made, silenced, and changed', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Alarms', exact: true }).click();
    await page.getByText('No alarms yet').waitFor();
    await page.getByRole('link', { name: 'New alarm' }).click();
    await page.getByLabel('Name').fill('Callers hang up');
    await page.getByLabel('Figure').selectOption({ label: 'Abandoned' });
    await page.getByLabel('Critical (%)').fill('20');
    await page.getByRole('button', { name: 'See how often it would have rung' }).click();
    await page.getByText(/in the last 30 days\.|had enough calls/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create alarm' }).click();
    await page.getByRole('heading', { level: 1, name: 'Callers hang up' }).waitFor();
    await page.getByRole('button', { name: 'Silence for 8 hours' }).click();
    await page.getByRole('button', { name: 'End the silence' }).waitFor();
    await page
      .getByText(/^Silenced until /)
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    expect(await page.getByLabel('Critical (%)').inputValue()).toBe('20');
    await page.getByLabel('Compared with').selectOption({ label: 'The same hours of the 4 weeks before' });
    await page.getByLabel('Critical (% of what is usual)').fill('0');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(/must be above 0/).waitFor();
    await page.getByLabel('Critical (% of what is usual)').fill('50');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('link', { name: 'Alarms', exact: true }).first().click();
    await page.getByRole('link', { name: 'Callers hang up' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('a metric is tried on past calls, made, and changed with a reason', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Metrics', exact: true }).click();
    await page.getByRole('link', { name: 'New metric' }).click();
    await page.getByLabel('Name').fill('Cost a minute');
    await page.getByLabel('Formula').fill('cost_usd / duration');
    await page.getByRole('button', { name: 'Try it on past calls' }).click();
    await page.getByText('There is no duration at character 12. Did you mean duration_s?').waitFor();
    await page.getByLabel('Formula').fill('duration_s / 60');
    await page.getByRole('button', { name: 'Try it on past calls' }).click();
    await page.getByText(/^On the newest 20 calls$/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create metric' }).click();
    const row = page.getByRole('row', { name: /Cost a minute/ });
    await row.getByRole('link', { name: 'Edit' }).click();
    expect(await page.getByLabel('Formula').inputValue()).toBe('duration_s / 60');
    await page.getByLabel('Kind').selectOption({ label: 'Pattern' });
    await page.getByLabel('After: tool').fill('book_appointment');
    await page.getByLabel('Expect: words').fill('sorry');
    await page.getByLabel('Reason for the change').fill('Bookings that fail are to be apologized for.');
    await page.getByRole('button', { name: 'Try it on past calls' }).click();
    await page.getByText(/would get another value/).waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await row.getByRole('link', { name: 'Edit' }).click();
    expect(await page.getByLabel('Expect: words').inputValue()).toBe('sorry');
  });
});
