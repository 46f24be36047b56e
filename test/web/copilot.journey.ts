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
  /** What the model answers about a brief: changes of it, by their parts. */
  const answerWithBrief = (reply: string, changes: object, sources: object[] = []) => {
    const none = { purpose: null, steps: null, tools: null, rules: null, intents: null, done: null };
    const content = JSON.stringify({ reply, changes: { ...none, ...changes }, sources });
    const message = { role: 'assistant', content, refusal: null };
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    const choices = [{ index: 0, finish_reason: 'stop', message }];
    model.answerWith(() => ({ raw: JSON.stringify({ model: 'a-model', choices, usage }), type: 'application/json' }));
  };
  const askAboutBrief = async (question: string) => {
    const chat = visit.page.locator('form').filter({ has: visit.page.getByLabel('Question about the brief') });
    await chat.getByLabel('Question about the brief').fill(question);
    await chat.getByRole('button', { name: 'Ask', exact: true }).click();
  };
  const field = (name: string) => visit.page.getByRole('textbox', { name });
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

  test('an answer about the brief cites lines of the agent’s text, and a change is taken over by one click', async () => {
    const { page, system } = visit;
    await page.goto(`${system.url}/agents/new`);
    await page.getByLabel('Platform', { exact: true }).selectOption('demo');
    await page.getByLabel('Key of the platform').fill('demo');
    await page.getByRole('button', { name: 'Check the key' }).click();
    const connect = page.getByRole('button', { name: /^Connect / });
    await connect.first().click();
    const rule = page.getByRole('region', { name: 'Rules of its text' }).getByRole('listitem').first();
    const [, line = '', quote = ''] = /^line (\d+)\s+(?:must not\s+)?([^]+)$/.exec(await rule.innerText()) ?? [];
    const proposed = { intents: ['book a visit', 'ask <b>when</b>'], done: ['book_slot succeeded'] };
    answerWithBrief('Booked means booked.', proposed, [{ line: Number(line), quote }]);
    await field('Purpose').fill('Being typed meanwhile.');
    await askAboutBrief('When is a visit booked?');
    await page.getByText('Booked means booked.').waitFor();
    await page.getByText(`line ${line} of its text`).waitFor();
    expect(await violations(page)).toEqual([]);
    const done = page.getByRole('region', { name: 'Change of What counts as done' });
    await done.getByRole('button', { name: 'Take over' }).click();
    await done.getByText('✓ Taken over').waitFor();
    await expect.poll(() => field('What counts as done').inputValue()).toBe('book_slot succeeded');
    expect(await field('Purpose').inputValue()).toBe('Being typed meanwhile.');
    await page.getByRole('region', { name: 'Change of What callers ask for' }).getByText('ask <b>when</b>').waitFor();
  });

  test('all changes of an answer are taken over by one click, and none is offered twice', async () => {
    const { page } = visit;
    answerWithBrief('Two parts change.', { purpose: 'Books visits.', done: ['The visit is booked.'] });
    await askAboutBrief('And all of it?');
    await page.getByText('Two parts change.').waitFor();
    await page.getByRole('button', { name: 'Take over all' }).first().click();
    await expect.poll(() => field('Purpose').inputValue()).toBe('Books visits.');
    await expect.poll(() => field('What counts as done').inputValue()).toBe('The visit is booked.');
    const answer = page.getByRole('list', { name: 'Answers, newest first' }).getByRole('listitem').first();
    await expect.poll(() => answer.getByText('✓ Taken over').count()).toBe(2);
    expect(await answer.getByRole('button', { name: /^Take over/ }).count()).toBe(0);
  });

  test('where the model gives no answer about the brief, the question stays', async () => {
    const { page } = visit;
    model.answerWith(() => ({ status: 400 }));
    await page.getByLabel('Question about the brief').fill('Why?');
    await page.locator('main').getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText(/The model gave no usable answer/).waitFor();
    expect(await page.getByLabel('Question about the brief').inputValue()).toBe('Why?');
  });
});
