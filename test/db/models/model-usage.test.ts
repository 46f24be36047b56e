import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAiUsage, reserveUsage, settleUsage } from '../../../src/db/models/model-usage.ts';
import { NO_USAGE } from '../../../src/models/port.ts';
import { makeAgent, type TestAgent } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let agent: TestAgent;
beforeAll(async () => {
  database = await createTestDatabase();
  agent = await makeAgent(database.em());
  await sql`
    update workspaces set allowances = '{"aiAllowanceUsd": 0.005}' where id = ${agent.workspaceId}
  `.execute(database.em().getKysely());
});
afterAll(() => database?.drop());

const question = (subject: string, ask = 1) => ({
  ...agent,
  purpose: 'call_reading',
  subject,
  ask,
  model: 'small-one',
  accountId: 'an-account',
  priced: true,
  nanoUsd: 1_000_000,
  isOwn: false,
});
const reserve = (subject: string, ask?: number) =>
  reserveUsage(database.within(agent.workspaceId), question(subject, ask));

test('of many questions at once exactly as many are let through as the allowance covers', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, (_, at) => reserve(`call-${at}`)));
  expect(made.filter(({ state }) => state === 'reserved')).toHaveLength(5);
  expect(made.filter(({ state }) => state === 'exhausted')).toHaveLength(15);
});

test('what a workspace pays itself is no part of the allowance, and is settled apart', async () => {
  const own = Array.from({ length: 10 }, (_, at) => ({ ...question(`own-${at}`), isOwn: true }));
  const em = database.within(agent.workspaceId);
  const made = await Promise.all(own.map((one) => reserveUsage(em, one)));
  expect(made.map(({ state }) => state)).toEqual(own.map(() => 'reserved'));
  const tokens = { inputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
  const [first] = own;
  if (first) await settleUsage(em, { ...first, ...tokens, nanoUsd: 400 });
  const { rows } = await sql<{ charged: number; own: number }>`
    select charged_nano_usd::float8 as charged, own_nano_usd::float8 as own from model_usage
    where subject in ('own-0', 'own-1') order by subject`.execute(database.em().getKysely());
  expect(rows).toEqual([
    { charged: 0, own: 400 },
    { charged: 0, own: 1_000_000 },
  ]);
});

test('what a question cost less than was held back is free again', async () => {
  const em = database.within(agent.workspaceId);
  const [{ subject } = { subject: '' }] = (
    await sql<{ subject: string }>`select subject from model_usage limit 1`.execute(em.getKysely())
  ).rows;
  await settleUsage(em, { ...NO_USAGE, ...question(subject), inputTokens: 10, outputTokens: 1, nanoUsd: 0 });
  await settleUsage(em, { ...NO_USAGE, ...question(subject), inputTokens: 99, outputTokens: 9, nanoUsd: 99 });
  expect(await readAiUsage(em, agent.workspaceId)).toEqual({ nanoUsd: 4_000_000, questions: 5, unpriced: [] });
  expect(await reserve('one-more')).toMatchObject({ state: 'reserved' });
  expect(await reserve('two-more')).toMatchObject({ state: 'exhausted' });
});

test('the same question is reserved once', async () => {
  const em = database.within(agent.workspaceId);
  await sql`update model_usage set charged_nano_usd = 0`.execute(em.getKysely());
  expect(await reserve('again')).toMatchObject({ state: 'reserved' });
  expect(await reserve('again')).toEqual({ state: 'begun' });
  expect(await reserve('again', 2)).toMatchObject({ state: 'reserved' });
});
