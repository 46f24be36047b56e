import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { useJourney } from '../support/web-journey.ts';
import { violations } from '../support/web-visitor.ts';

const path = findBrowser();

describe.skipIf(path === null)('a workspace', () => {
  let mail: MailServer;
  const visit = useJourney(path, async () => {
    mail = await startMailServer();
    return {
      EARSHOT_SMTP_URL: mail.url,
      EARSHOT_MAIL_FROM: 'Earshot <earshot@example.com>',
      EARSHOT_MAIL_DOMAINS: 'example.org',
    };
  });
  afterAll(() => mail?.close());

  test('a webhook shows its secret once, and is gone after it was deleted', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Workspace', exact: true }).click();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Address').fill('https://198.51.100.7/earshot');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const refusal = page.getByRole('alert');
    await refusal.waitFor();
    await page.getByLabel('Address').fill('https://8.8.8.8/earshot');
    await page.getByRole('button', { name: 'Create webhook' }).click();
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
    await page.getByRole('button', { name: 'Role of First admin' }).click();
    await page.getByRole('menuitem', { name: 'Member' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('E-mail').fill('grace@example.org');
    await page.getByRole('button', { name: 'Make the invitation' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Role of Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Admin' }).click();
    await page.getByRole('row').filter({ hasText: 'Grace Hopper' }).getByText('Admin').waitFor();
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click();
    await page.getByRole('button', { name: 'Remove from the workspace' }).click();
    await page.getByText('grace@example.org').waitFor({ state: 'hidden' });
  });

  test('an allowance that is set stands in place of the plan’s own', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await page.getByLabel('Simulated test calls per period').fill('40');
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
    await page.getByLabel('times: Agent asks to repeat').fill('1');
    await page.getByRole('button', { name: 'See what would change' }).click();
    await page.getByRole('cell', { name: 'Agent asks to repeat' }).waitFor();
    await page.getByLabel('Grace days').fill('9');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await page.getByLabel('Grace days').waitFor();
    await expect.poll(() => page.getByLabel('Grace days').inputValue()).toBe('9');
  });

  test('a shorter time for calls is kept once it is ticked that nothing brings them back, for an agent and for all', async () => {
    const { page } = visit;
    const payloads = page.getByLabel('Days: what platforms sent');
    const sent = page.getByLabel('What platforms sent', { exact: true });
    const keep = page.locator('form').filter({ has: sent }).getByRole('button', { name: 'Save', exact: true });
    await sent.selectOption('days');
    await payloads.fill('7');
    expect(await keep.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('I know that nothing brings it back').check();
    await keep.click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await expect.poll(() => payloads.inputValue()).toBe('7');
    await sent.selectOption('workspace');
    await keep.click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Workspace', exact: true }).click();
    await page.getByRole('link', { name: 'Retention', exact: true }).click();
    await page.getByLabel('The call itself').selectOption('days');
    await page.getByLabel('Days: the call itself').fill('3000');
    await page.getByLabel('I know that nothing brings it back').check();
    expect(await violations(page)).toEqual([]);
    await keep.click();
    await page.getByText('Saved.').waitFor();
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
    const entry = page.getByRole('row').filter({ hasText: 'Start run' });
    await entry.getByText('Refused (400)').waitFor();
    await entry.getByText('Continuous integration (key)').waitFor();
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
    await page.getByRole('button', { name: 'Create channel' }).click();
    await page.getByRole('heading', { level: 1, name: 'The team' }).waitFor();
    await page.getByText(/on mondays at 9:00, quiet 22:00 to 07:00/).waitFor();
    await page.getByText('has to agree first').waitFor();
    await expect.poll(() => mail.received.length, { timeout: 60_000 }).toBe(1);
    const shown = page.url();
    const [, secret] = /\/agree#([\w.-]+)/.exec(mail.received[0]?.raw.replaceAll('=\r\n', '') ?? '') ?? [];
    await page.goto(`${visit.system.url}/agree#${secret}`);
    await page.getByRole('button', { name: 'Send me messages' }).click();
    await page.getByRole('heading', { name: 'You get messages' }).waitFor();
    await page.goto(shown);
    await page.getByRole('button', { name: 'Send a test' }).click();
    // The server itself waits for half a minute, and then the page goes on looking.
    await page.getByText('✓ It got through.').waitFor({ timeout: 60_000 });
    await page.getByRole('cell', { name: 'delivered' }).first().waitFor();
    expect(mail.received.flatMap(({ to }) => to)).toEqual(['team@example.org', 'team@example.org']);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the channel' }).click();
    await page.getByText('No channels yet').waitFor();
  });

  test('an agent that is named takes a file of calls that is dropped on its page', async () => {
    const { page } = visit;
    await page.goto(`${visit.system.url}/agents/new`);
    await page.getByLabel('Runs on').selectOption('file');
    await page.getByLabel('Name of the agent').fill('Front desk');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByText('Front desk was created.').waitFor();
    await page.getByRole('link', { name: 'Upload calls' }).click();
    await page.getByText('No imports yet').waitFor();
    const turns = [
      { role: 'agent', text: 'Front desk, hello.' },
      { role: 'caller', text: 'A table for two, please.' },
    ];
    const record = JSON.stringify([{ id: 'dropped', turns }]);
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(record)}], 'calls.json'));
      const drop = { dataTransfer, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent('dragover', drop));
      document.body.dispatchEvent(new DragEvent('drop', drop));
    })()`);
    await page.waitForURL(/\/imports\/[^/]+$/);
    await page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 60_000 });
    await page.getByRole('navigation', { name: 'Pages of the agent' }).getByRole('link', { name: 'Calls' }).click();
    await page.getByText('1 call', { exact: true }).waitFor();
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
