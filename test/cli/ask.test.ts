import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { type CopilotWorld, createCopilotWorld } from '../support/copilot-world.ts';
import { makeOneOfEach } from '../support/one-of-each.ts';
import { createWorld, type Loose } from '../support/world.ts';

let world: CopilotWorld;
let cli: CommandLine;
let callId: string;
let agentId: string;

beforeAll(async () => {
  world = await createCopilotWorld('anthropic');
  agentId = await world.makeAgent({ provider: 'file' });
  ({ callId } = await makeOneOfEach(world, agentId));
  cli = await commandLineFor(world);
});
afterAll(() => world.close());

test('the answer comes with the pages that it stands on, and the conversation goes on', async () => {
  world.model.answerWith(() => ({ say: `Here [call:${callId}].\n\u001b[31mRed` }));
  const asked = await cli.run(['ask', 'Where?', '--agent', agentId]);
  expect(asked).toMatchObject({ code: 0 });
  const { url } = cli.stored();
  expect(asked.out).toMatch(/^Here \[\^1\]\.\n\[31mRed\n/);
  expect(asked.out).toMatch(/\[\^1\] Call of \d{4}-/);
  expect(asked.out).toContain(`${url}/a/${agentId}/calls/${callId}\n`);
  const [, conversation = ''] = /--conversation (\S+)/.exec(asked.err) ?? [];
  const more = await cli.run(['ask', 'And why?', '--agent', agentId, '--conversation', conversation, '--json']);
  expect(JSON.parse(more.out)).toMatchObject({
    conversationId: conversation,
    state: 'done',
    citations: [{ id: callId }],
  });
});

test('what it proposes is shown whole, and decided by the digest of what was shown, once', async () => {
  world.model.answerWith(({ results }) =>
    results.length === 0
      ? { calls: [{ name: 'propose_create_goal', input: { title: 'Dates', request: 'Ask once for a date.' } }] }
      : { say: 'It is up to you.' },
  );
  for (const [decision, said] of [
    ['dismiss', 'Dismissed: Open the goal “Dates”'],
    ['confirm', 'Done: Open the goal “Dates”'],
  ] as const) {
    const { err } = await cli.run(['ask', 'Open a goal', '--agent', agentId]);
    expect(err).toContain('"request":"Ask once for a date."');
    const [, digest = '', conversation = ''] = /cards confirm (\S+) --conversation (\S+)/.exec(err) ?? [];
    const decide = (which: string) =>
      cli.run(['cards', decision, which, '--agent', agentId, '--conversation', conversation]);
    const none = { code: 1, err: expect.stringContaining('No proposal with this digest') };
    expect(await decide('f'.repeat(64))).toMatchObject(none);
    expect(await decide(digest)).toMatchObject({ code: 0, out: expect.stringContaining(said) });
    expect(await decide(digest)).toMatchObject(none);
  }
  // The line is pasted as it was shown, also where this agent is not the one that a command takes by itself.
  await world.makeAgent({ provider: 'file' });
  const { err: shown } = await cli.run(['ask', 'Open a goal', '--agent', agentId]);
  const pasted = /earshot (cards confirm .+)/.exec(shown)?.[1]?.split(' ') ?? [];
  expect(await cli.run(pasted)).toMatchObject({ code: 0, out: expect.stringContaining('Done') });
  const goals = await world.get(`/v1/agents/${agentId}/goals`);
  expect(goals.body.data.filter(({ title }: Loose) => title === 'Dates')).toHaveLength(2);
});

test('an answer that failed, and a copilot that is off, are said in a sentence', async () => {
  world.model.answerWith(() => ({ status: 401 }));
  expect(await cli.run(['ask', 'Hm?', '--agent', agentId])).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not accept the key'),
  });
  const without = await createWorld();
  const other = await commandLineFor(without);
  expect(await other.run(['ask', 'Hm?', '--agent', without.agentId])).toMatchObject({
    err: expect.stringContaining('No model is configured'),
  });
  await without.close();
});
