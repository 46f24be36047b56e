import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readAiUsage } from '../../../src/db/models/model-usage.ts';
import { wholePrice } from '../../../src/domain/limits/model-cost.ts';
import { ModelError, NO_USAGE, toldTokens, type Usage } from '../../../src/models/port.ts';
import { askCharged } from '../../../src/services/models/ask-charged.ts';
import { makeAgent, type TestAgent } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** A dollar a million tokens of either kind: 1,000 billionths a token. */
const PRICE = wholePrice({ input: 1, output: 1 }, 'openai');
const MOST = { ...NO_USAGE, inputTokens: 1000, outputTokens: 1000 };
const USAGE: Usage = { ...NO_USAGE, inputTokens: 100, outputTokens: 10 };

let database: TestDatabase;
let agent: TestAgent;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  agent = await makeAgent(database.em());
  await sql`
    update workspaces set allowances = '{"aiAllowanceUsd": 0.003}' where id = ${agent.workspaceId}
  `.execute(database.em().getKysely());
});

const em = () => database.within(agent.workspaceId);
const charged = async () => (await readAiUsage(em(), agent.workspaceId)).nanoUsd;
const ask = (
  subject: string,
  answer: () => Promise<{ usage: Usage }>,
  over: { price?: typeof PRICE | undefined } = {},
) =>
  askCharged({
    em: em(),
    key: { workspaceId: agent.workspaceId, purpose: 'tests', subject, ask: 1 },
    agentId: agent.agentId,
    model: { model: 'a-model', account: { id: 'an-account', host: 'models.example.com' } },
    price: PRICE,
    most: MOST,
    ask: answer,
    ...over,
  });

test('what a question may cost is held back before it goes out, and what it cost is charged after', async () => {
  const answer = await ask('one', async () => {
    expect(await charged()).toBe(2_000_000);
    return { usage: USAGE };
  });
  expect(answer).toEqual({ state: 'answered', answer: { usage: USAGE }, nanoUsd: 110_000 });
  expect(await charged()).toBe(110_000);
});

test('a question that the allowance does not cover is not asked', async () => {
  await ask('one', async () => {
    const second = await ask('two', () => expect.unreachable('it was asked'));
    expect(second).toEqual({ state: 'exhausted', bound: 'allowance', freeAt: expect.stringMatching(/^\d{4}-/) });
    return { usage: USAGE };
  });
  expect(await charged()).toBe(110_000);
});

test('one that it never covers has no day on which it would', async () => {
  const dear = await ask('dear', () => expect.unreachable('it was asked'), {
    price: wholePrice({ input: 3, output: 3 }, 'openai'),
  });
  expect(dear).toEqual({ state: 'exhausted', bound: 'allowance', freeAt: null });
});

test('a model without a price costs nothing, and is named as one', async () => {
  await ask('free', async () => ({ usage: USAGE }), { price: undefined });
  expect(await readAiUsage(em(), agent.workspaceId)).toEqual({ nanoUsd: 0, questions: 1, unpriced: ['a-model'] });
});

test('a model without a price is not asked where the allowance is nothing', async () => {
  await sql`update workspaces set allowances = '{"aiAllowanceUsd": 0}' where id = ${agent.workspaceId}`.execute(
    database.em().getKysely(),
  );
  const unpriced = await ask('free', () => expect.unreachable('it was asked'), { price: undefined });
  expect(unpriced).toEqual({ state: 'exhausted', bound: 'allowance', freeAt: null });
});

test.each([
  ['of 10 million', 10_000_000, 10_000_000],
  ['of more than any model takes', 9_000_000_000_000, 10_000_000],
  ['below nothing', -5, 0],
  ['that is no count', 'many', 0],
])('a count of tokens %s is taken as what can be true', (_, told, taken) => {
  expect(toldTokens.parse(told)).toBe(taken);
});

test.each([
  [
    'that says what it cost is charged with that',
    new ModelError('unusable', 'No document.', { usage: USAGE }),
    110_000,
  ],
  ['that cost nothing is charged with nothing', new ModelError('refused', 'No such model.'), 0],
  [
    'of which nobody knows stays charged with all that was held back',
    new ModelError('away', 'Cut.', { usage: null }),
    2e6,
  ],
  ['of ours stays charged too: the endpoint may have answered', new TypeError('a mistake'), 2e6],
])('a failure %s', async (_, error, expected) => {
  await expect(ask('fails', () => Promise.reject(error))).rejects.toBe(error);
  expect(await charged()).toBe(expected);
});
