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
});
