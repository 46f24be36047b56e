import { afterAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { startTalkServer, type TalkServer, type TurnAnswer } from '../support/talk-server.ts';
import { useJourney } from '../support/web-journey.ts';
import { violations } from '../support/web-visitor.ts';

const path = findBrowser();

describe.skipIf(path === null)('the copilot beside a page', () => {
  let model: TalkServer;
  const visit = useJourney(path, async () => {
    model = await startTalkServer();
    return model.settings('openai');
  });
  afterAll(() => model?.close());

  const panel = () => visit.page.getByRole('complementary', { name: 'Copilot' });
  const firstIdOf = async (kind: string) => {
    const href = await visit.page.locator(`main a[href*="/${kind}/"]`).first().getAttribute('href');
    return /\/([0-9a-f-]{36})(?:[?#]|$)/.exec(href ?? '')?.[1] ?? '';
  };
  /** Answers of the model by the number of tools that have answered it. */
  const script = (turns: Record<number, TurnAnswer>) =>
    model.answerWith(({ results }) => turns[results.length] ?? { say: 'No more.' });
  const ask = async (question: string) => {
    await panel().getByLabel('Question').fill(question);
    await panel().getByRole('button', { name: 'Ask', exact: true }).click();
  };

  test('an answer shows its sources, and one of them leads to the turn', async () => {
    const { page } = visit;
    const issueId = await firstIdOf('issues');
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('row').nth(2).waitFor();
    const callId = await firstIdOf('calls');
    script({
      0: { say: 'I look.', calls: [{ name: 'get_issue', input: { issueId } }] },
      1: { say: `**It fails** [issue:${issueId}], as here [call:${callId}#0]. <b>No markup</b> is taken.` },
    });
    await page.keyboard.press('.');
    await ask('What fails most?');
    await panel().getByText('1 look-up').waitFor();
    await panel().getByText('<b>No markup</b> is taken.').waitFor();
    await panel().getByRole('button', { name: 'Ask', exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await panel()
      .getByRole('link', { name: /turn 0$/ })
      .click();
    await page.waitForURL(new RegExp(`/calls/${callId}#turn-0$`));
    await page.locator('li#turn-0:focus').waitFor();
  });

  test('nothing comes of a proposal before it is confirmed, and then it is the person’s own deed', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Issues', exact: true }).click();
    const issueId = await firstIdOf('issues');
    const input = { issueId, status: 'investigating', reason: 'It is the worst of all.' };
    script({ 0: { calls: [{ name: 'propose_set_issue_status', input }] }, 1: { say: 'It waits for you.' } });
    await ask('Look into the worst one.');
    const proposal = panel().getByRole('region', { name: 'Proposal' });
    await proposal.getByText('waits for you').waitFor();
    await panel().getByRole('button', { name: 'Ask', exact: true }).waitFor();
    await proposal.getByRole('button', { name: 'Confirm' }).click();
    await proposal.getByText('✓ done').waitFor();
    await proposal.getByRole('link', { name: 'Open the issue' }).click();
    await page.locator('main').getByText('It is the worst of all.').waitFor();
  });

  test('an answer that is going on is found again after a reload, and stopped; what was said stays', async () => {
    const { page } = visit;
    const held = Promise.withResolvers<void>();
    script({ 0: { say: 'This takes long. And longer still, and', hold: held.promise } });
    await ask('Tell me everything.');
    await panel()
      .getByText(/This takes long/)
      .waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Copilot', exact: true }).click();
    await panel()
      .getByText(/This takes long/)
      .waitFor();
    await panel().getByRole('button', { name: 'Stop' }).click();
    await panel().getByText('stopped', { exact: true }).waitFor();
    await panel()
      .getByText(/This takes long/)
      .waitFor();
    held.resolve();
  });
});
