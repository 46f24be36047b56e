import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { createLargeAnswers } from '../../api/large-answers.ts';
import type { Principal } from '../../src/operations/principal.ts';

const of = (workspaceId: string) => ({ kind: 'person', workspaceId }) as Principal;

/** An answer that is sent once it is read. */
function open() {
  const raw = new PassThrough();
  const headers: Record<string, string> = {};
  const reply = { raw, header: (name: string, value: string) => void (headers[name] = value) };
  const sent = async () => {
    raw.end();
    raw.resume();
    await new Promise((resolve) => raw.once('close', resolve));
  };
  return { reply: reply as unknown as FastifyReply, raw, headers, sent };
}

test('three large answers of a workspace are made at once, and the next when one was read', async () => {
  const turn = createLargeAnswers();
  const answers = Array.from({ length: 4 }, open);
  const [one, two, three, four] = answers as [
    ReturnType<typeof open>,
    (typeof answers)[0],
    (typeof answers)[0],
    ReturnType<typeof open>,
  ];
  for (const { reply } of [one, two, three] as ReturnType<typeof open>[]) await turn(of('a'), reply);
  let begun = false;
  const waits = turn(of('a'), four.reply).then(() => (begun = true));
  const other = open();
  await turn(of('b'), other.reply);
  expect(begun).toBe(false);
  await one.sent();
  await waits;
  expect(begun).toBe(true);
});

test('who waits for too long is asked to come again, and who leaves gives its place up', async () => {
  const turn = createLargeAnswers({ waitMs: 10, sentWithinMs: 60_000 });
  const held = Array.from({ length: 3 }, open);
  for (const { reply } of held) await turn(of('a'), reply);
  const late = open();
  await expect(turn(of('a'), late.reply)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(late.headers['retry-after']).toBe('2');
  held[0]?.raw.destroy();
  await turn(of('a'), open().reply);
});

test('an answer that nobody reads ends, and gives its place up', async () => {
  const turn = createLargeAnswers({ waitMs: 10_000, sentWithinMs: 10 });
  const held = Array.from({ length: 3 }, open);
  for (const { reply } of held) await turn(of('a'), reply);
  await turn(of('a'), open().reply);
  expect(held.some(({ raw }) => raw.destroyed)).toBe(true);
});
