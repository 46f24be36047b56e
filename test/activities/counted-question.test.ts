import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { askCounted, type CountedAnswer } from '../../activities/shared/counted-question.ts';
import { operators } from '../../activities/shared/reader-of.ts';
import { newId } from '../../src/ids.ts';
import type { ChatModel } from '../../src/models/port.ts';
import { type ModelWorld, NANO_OF_A_QUESTION, openModelWorld } from '../support/model-world.ts';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world?.close());
beforeEach(() => {
  world.server.asked.length = 0;
});

type Asked = CountedAnswer<{ colour: string }>;

function ask(
  subject: string,
  using: Partial<ChatModel> = {},
  environment = new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }),
): Promise<Asked> {
  const { reader } = world.deps.models;
  if (reader === null) throw new Error('no model');
  const question = {
    ...world.agent,
    purpose: 'a test',
    subject,
    asksAtMost: 3,
    asks: operators(world.deps.models, { ...reader, ...using }),
    request: {
      instructions: 'Name a colour.',
      context: null,
      material: 'none',
      schema: z.strictObject({ colour: z.string() }),
      name: 'colour',
      maxOutputTokens: 50,
    },
  };
  const em = world.database.within(world.agent.workspaceId);
  return environment.run(() => askCounted(em, question));
}

const ledger = (subject: string) =>
  world.rows(sql`
    select ask, charged_nano_usd::float8 as nano, settled_at is not null as settled from model_usage
    where purpose = 'a test' and subject = ${subject} order by ask`);

describe('a counted question', () => {
  test('is charged once and answered', async () => {
    world.server.answerWith(() => ({ value: { colour: 'red' } }));
    const subject = newId();
    expect(await ask(subject)).toEqual({
      state: 'answered',
      value: { colour: 'red' },
      model: 'small-one',
      nanoUsd: NANO_OF_A_QUESTION,
    });
    expect(await ledger(subject)).toEqual([{ ask: 1, nano: NANO_OF_A_QUESTION, settled: true }]);
  });

  test('is asked again where the answer does not fit, and both are paid for', async () => {
    world.server.answerWith((_, number) => (number === 1 ? { prose: 'Red!' } : { value: { colour: 'red' } }));
    expect(await ask(newId())).toMatchObject({ state: 'answered', nanoUsd: 2 * NANO_OF_A_QUESTION });
  });

  test('waits as long as the model asks it to', async () => {
    world.server.answerWith((_, number) =>
      number === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { value: { colour: 'red' } },
    );
    const began = Date.now();
    expect(await ask(newId())).toMatchObject({ state: 'answered', nanoUsd: NANO_OF_A_QUESTION });
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
  });

  test('is given up after three answers that do not fit', async () => {
    world.server.answerWith(() => ({ value: { color: 'red' } }));
    const answer = await ask(newId());
    expect(answer).toMatchObject({ state: 'unusable', nanoUsd: 3 * NANO_OF_A_QUESTION });
    expect(world.server.asked).toHaveLength(3);
  });

  test('is not repeated where the key is refused, and costs nothing', async () => {
    world.server.answerWith(() => ({ status: 401 }));
    expect(await ask(newId())).toMatchObject({ state: 'unusable', nanoUsd: 0, reason: expect.stringContaining('key') });
    expect(world.server.asked).toHaveLength(1);
  });

  test('over which a process died counts as asked: three at most, however many processes', async () => {
    world.server.answerWith(() => ({ value: { colour: 'red' } }));
    const subject = newId();
    const dying: ChatModel['complete'] = async () => {
      throw new Error('killed');
    };
    await expect(ask(subject, { complete: dying })).rejects.toThrow('killed');
    await expect(ask(subject, { complete: dying })).rejects.toThrow('killed');
    expect(await ask(subject)).toMatchObject({ state: 'answered' });
    expect((await ledger(subject)).map(({ settled }) => settled)).toEqual([false, false, true]);
    expect(await ask(subject)).toMatchObject({
      state: 'unusable',
      reason: expect.stringContaining('The process ended each of the 3 times'),
    });
    expect(world.server.asked).toHaveLength(1);
  });

  test('that is cancelled while it is out ends as cancelled, not as trouble of the model', async () => {
    world.server.answerWith(() => 'hang');
    const environment = new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT });
    const asked = ask(newId(), {}, environment);
    await expect.poll(() => world.server.asked.length, { timeout: 60_000 }).toBe(1);
    environment.cancel();
    await expect(asked).rejects.toMatchObject({ name: 'CancelledFailure' });
    expect(world.server.asked).toHaveLength(1);
  });
});
