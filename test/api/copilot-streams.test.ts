import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/operations/create-services.ts';
import {
  type CopilotWorld,
  createCopilotWorld,
  kindsOf,
  messageOf,
  type Told,
  toldIn,
  wordsOf,
} from '../support/copilot-world.ts';
import { expectFailure } from '../support/world.ts';

let world: CopilotWorld;
let first: string;
/** A second process, which shares nothing with the first but the database. */
let second: { address: string; close(): Promise<void> };

beforeAll(async () => {
  world = await createCopilotWorld('openai');
  first = await world.app.listen({ host: '127.0.0.1', port: 0 });
  second = await anotherApi();
});
afterAll(async () => {
  await second.close();
  await world.close();
});

async function anotherApi() {
  const config = readConfig({
    DATABASE_URL: world.database.url,
    EARSHOT_SECRET: 'a secret of the tests, 32 characters or more',
  });
  const { ai, now } = world.services;
  const services = { ...createServices({ config, database: world.database, log: pino({ level: 'silent' }), ai }), now };
  const part = { ok: true, message: 'Answers.' };
  const app = await buildApp({
    services,
    health: {
      database: async () => part,
      readiness: async () => ({ ready: true, database: part, temporal: part, workers: { ...part, seen: 1 } }),
      accepting: () => true,
    },
  });
  return { address: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
}

/** Opens a stream as a browser would. */
async function open(url: string, { text, after }: { text?: string; after?: number } = {}) {
  const control = new AbortController();
  const answer = await fetch(url, {
    method: text === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${await world.token()}`,
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(after === undefined ? {} : { 'last-event-id': String(after) }),
    },
    ...(text === undefined ? {} : { body: JSON.stringify({ text }) }),
    signal: control.signal,
  });
  expect(answer.status).toBe(200);
  const reader = (answer.body ?? ReadableStream.from([])).pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  const readOn = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    received += value ?? '';
    return !done;
  };
  return {
    async until(isThere: (told: Told[]) => boolean): Promise<Told[]> {
      while (!isThere(toldIn(received)) && (await readOn()));
      return toldIn(received);
    },
    async rest(): Promise<Told[]> {
      while (await readOn());
      return toldIn(received);
    },
    leave: () => control.abort(),
  };
}

/** A model that says something, waits, and says the rest in its next turn. */
function holdAnswer(): () => void {
  let release = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  world.model.answerWith((asked) =>
    asked.results.length === 0
      ? { say: 'The first half', hold, calls: [{ name: 'list_signals', input: {} }] }
      : { say: 'and the second.' },
  );
  return release;
}

const hasWords = (words: string) => (told: Told[]) => wordsOf(told).includes(words);

test('who comes back after a broken connection, at any process, misses nothing and hears nothing twice', async () => {
  const conversation = await world.converse();
  const release = holdAnswer();
  const broken = await open(`${first}${conversation}/messages`, { text: 'Tell me' });
  const before = await broken.until(hasWords('The first half'));
  broken.leave();
  const back = await open(`${second.address}${conversation}/events`, { after: before.at(-1)?.id ?? 0 });
  const whole = await open(`${second.address}${conversation}/events`);
  await whole.until(hasWords('The first half'));
  release();
  const after = await back.rest();
  const ids = [...before, ...after].map(({ id }) => id);
  expect(ids).toEqual(ids.map((_, at) => (ids[0] ?? 0) + at));
  expect(wordsOf([...before, ...after])).toBe('The first half\n\nand the second.');
  expect(messageOf(after)).toMatchObject({ state: 'done', text: 'The first half\n\nand the second.' });
  expect(wordsOf(await whole.rest())).toBe('The first half\n\nand the second.');
  const late = toldIn((await world.ask('GET', `${conversation}/events`, { as: await world.token() })).text);
  expect(messageOf(late)).toEqual(messageOf(after));
});

test('who comes back with an event of an earlier answer hears the newest one, and nothing else', async () => {
  const conversation = await world.converse();
  world.model.answerWith((_asked, number) => ({ say: `Answer ${number}.` }));
  const [earlier] = await world.say(conversation, 'Tell me');
  const newest = await world.say(conversation, 'Tell me more');
  const followed = await world.ask('GET', `${conversation}/events`, {
    as: await world.token(),
    headers: { 'last-event-id': String(earlier?.id) },
  });
  expect(toldIn(followed.text)).toEqual(newest);
});

test('an answer is stopped at once, from any process, and keeps what it said', async () => {
  for (const address of [first, second.address]) {
    const conversation = await world.converse();
    const release = holdAnswer();
    const stream = await open(`${first}${conversation}/messages`, { text: 'Tell me' });
    await stream.until(hasWords('The first half'));
    const stopped = await fetch(`${address}${conversation}/stop`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await world.token()}` },
    });
    expect(stopped.status).toBe(200);
    const told = await stream.rest();
    expect(kindsOf(told).at(-1)).toBe('done');
    expect(messageOf(told)).toMatchObject({ state: 'stopped', text: 'The first half', problem: null });
    release();
    const again = await world.ask('POST', `${conversation}/stop`, { as: await world.token() });
    expect(again.body).toMatchObject({ state: 'stopped' });
  }
});

test('a person has one answer at a time, whichever conversation; others have theirs', async () => {
  const [one, two] = [await world.converse(), await world.converse()];
  const release = holdAnswer();
  const stream = await open(`${first}${one}/messages`, { text: 'Tell me' });
  await stream.until(hasWords('The first half'));
  const as = await world.token();
  expectFailure(
    await world.ask('POST', `${two}/messages`, { as, body: { text: 'And me' } }),
    409,
    'answer_in_progress',
  );
  const state = await world.ask('GET', world.copilot, { as });
  expect(`${world.copilot}/conversations/${state.body.answering.conversationId}`).toBe(one);
  expect((await world.ask('GET', two, { as })).body.messages).toEqual([]);

  const other = await world.token(await world.makeMember('member'));
  const theirs = await world.ask('POST', `${world.copilot}/conversations`, { as: other });
  release();
  const told = await world.say(`${world.copilot}/conversations/${theirs.body.id}`, 'And me', other);
  expect(messageOf(told)).toMatchObject({ state: 'done' });
  await stream.rest();
  expect(messageOf(await world.say(two, 'Now me'))).toMatchObject({ state: 'done' });
});

test('ten questions at once begin one answer and count one message', async () => {
  const conversations = await Promise.all(Array.from({ length: 10 }, () => world.converse()));
  const as = await world.token();
  const used = async () => (await world.ask('GET', world.copilot, { as })).body.messages.used as number;
  const before = await used();
  const release = holdAnswer();
  const answers = conversations.map((one) => world.ask('POST', `${one}/messages`, { as, body: { text: 'Me' } }));
  let refused = 0;
  for (const answer of answers) void answer.then(({ status }) => (refused += status === 409 ? 1 : 0));
  // The one that began waits for the model.
  await expect.poll(() => refused, { timeout: 60_000 }).toBe(9);
  release();
  const statuses = (await Promise.all(answers)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  expect(await used()).toBe(before + 1);
});

test('an answer whose process died is told as such, and the next may begin', async () => {
  const conversation = await world.converse();
  world.model.answerWith(() => ({ say: 'Fine.' }));
  const told = await world.say(conversation, 'Hello');
  const { id } = messageOf(told);
  await sql`
    update copilot_messages set state = 'answering', finished_at = null, beat_at = now() - interval '1 minute'
    where id = ${id}
  `.execute(world.database.em().getKysely());
  const followed = await world.ask('GET', `${conversation}/events`, {
    as: await world.token(),
    headers: { 'last-event-id': String(told.at(-1)?.id) },
  });
  expect(messageOf(toldIn(followed.text))).toMatchObject({ state: 'failed', problem: { code: 'interrupted' } });
  expect(messageOf(await world.say(conversation, 'Again'))).toMatchObject({ state: 'done' });
});

test('an answer ends with the session of whoever asked', async () => {
  const who = await world.makeMember('member');
  const as = await world.token(who);
  const made = await world.ask('POST', `${world.copilot}/conversations`, { as });
  world.model.answerWith((asked) => {
    if (asked.results.length > 0) return { say: 'Never said.' };
    const hold = sql`update sessions set revoked_at = now() where person_id = ${who.personId}`.execute(
      world.database.em().getKysely(),
    );
    return { say: 'Wait.', hold, calls: [{ name: 'list_signals', input: {} }] };
  });
  const told = await world.say(`${world.copilot}/conversations/${made.body.id}`, 'Hello', as);
  expect(messageOf(told)).toMatchObject({ state: 'failed', text: 'Wait.', problem: { code: 'session_ended' } });
});

test('answers end with their process, and say so', async () => {
  const third = await anotherApi();
  const conversation = await world.converse();
  const release = holdAnswer();
  const stream = await open(`${third.address}${conversation}/messages`, { text: 'Tell me' });
  await stream.until(hasWords('The first half'));
  await third.close();
  release();
  const { body } = await world.ask('GET', conversation, { as: await world.token() });
  expect(body.messages[1]).toMatchObject({ state: 'failed', text: 'The first half', problem: { code: 'interrupted' } });
});
