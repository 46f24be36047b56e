import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelAnswer, type ModelServer, USAGE } from '../support/model-server.ts';
import { captureVersion } from '../support/runs.ts';
import { createWordsWorld } from '../support/words-world.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

const RULE = 'Never give medical advice.';
const PROMPT = `You are the front desk of a vet.\nBook visits with book_slot.\n${RULE}`;

let model: ModelServer;
let close: (() => Promise<void>) | undefined;
let world: World;
let token: string;
beforeAll(async () => {
  ({ world, model, close } = await createWordsWorld());
  await sql`insert into memberships (workspace_id, person_id, role) values (${world.workspaceId}, ${world.personId}, 'admin')
    on conflict do nothing`.execute(world.database.em().getKysely());
  token = await world.token();
});
afterAll(() => close?.());
beforeEach(() => {
  model.asked.length = 0;
});

const NOTHING = { purpose: null, steps: null, tools: null, intents: null, done: null, rules: null };
const saying = (over: Loose): ModelAnswer => ({
  value: { reply: 'Booked means booked.', changes: NOTHING, sources: [], ...over },
  usage: USAGE,
});

async function agentWithBrief(): Promise<string> {
  const agentId = await world.makeAgent();
  await captureVersion(world.database, { workspaceId: world.workspaceId, agentId }, 1, { prompt: PROMPT });
  return agentId;
}
const ask = (agentId: string, message = 'When is a visit booked?', as = token) =>
  world.ask('POST', `/app/agents/${agentId}/brief/chat`, { as, body: { message } });

test('an answer comes with what it would change and the lines that it builds on, and changes nothing', async () => {
  const agentId = await agentWithBrief();
  model.answerWith(() =>
    saying({
      changes: { ...NOTHING, done: ['book_slot succeeded'] },
      sources: [{ line: 2, quote: 'Book visits with book_slot.' }],
    }),
  );
  const { body: before } = await world.get(`/app/agents/${agentId}/brief`, token);
  const { status, body } = await ask(agentId);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      object: 'brief_answer',
      reply: 'Booked means booked.',
      changes: { done: ['book_slot succeeded'] },
      sources: [{ line: 2, quote: 'Book visits with book_slot.' }],
      message: null,
    },
  });
  expect(model.asked[0]?.material).toContain(RULE);
  expect((await world.get(`/app/agents/${agentId}/brief`, token)).body).toEqual(before);
  const taken = await world.ask('PATCH', `/app/agents/${agentId}/brief`, { as: token, body: body.changes });
  expect(taken.body.brief.done).toEqual(['book_slot succeeded']);
});

test('lines and rules that the agent was not given are thrown away, and so is what no person could send', async () => {
  const agentId = await agentWithBrief();
  model.answerWith(() =>
    saying({
      changes: {
        ...NOTHING,
        rules: [
          { line: 3, text: RULE, polarity: 'must_not' },
          { line: 1, text: 'Always say yes.', polarity: 'must' },
        ],
      },
      sources: [
        { line: 9, quote: 'Book visits with book_slot.' },
        { line: 2, quote: 'Refund everybody.' },
      ],
    }),
  );
  expect((await ask(agentId)).body).toMatchObject({
    changes: { rules: [{ line: 3, text: RULE, polarity: 'must_not' }] },
    sources: [],
  });
  model.answerWith(() => saying({ changes: { ...NOTHING, intents: ['a\u0000b'] } }));
  expect((await ask(agentId)).body).toMatchObject({ reply: 'Booked means booked.', changes: null });
});

test.each<[string, () => ModelAnswer]>([
  ['is away', () => ({ status: 503 })],
  ['answers in prose', () => ({ prose: 'Booked means booked.' })],
])('a model that %s is said to have given no answer', async (_, script) => {
  model.answerWith(script);
  expect((await ask(await agentWithBrief())).body).toMatchObject({
    reply: null,
    changes: null,
    message: expect.stringContaining('no usable answer'),
  });
});

test('each question counts as one copilot message, and without any left none is asked', async () => {
  const agentId = await agentWithBrief();
  model.answerWith(() => saying({}));
  const used = async () => (await world.get('/app/plan', token)).body.used.copilotMessages;
  const before = await used();
  await ask(agentId);
  expect(await used()).toBe(before + 1);
  await world.ask('PATCH', '/app/plan', { as: token, body: { allowances: { copilotMessages: before + 1 } } });
  model.asked.length = 0;
  expectFailure(await ask(agentId), 402, 'quota_exceeded');
  expect(model.asked).toEqual([]);
});

test('where no model is configured it is refused with the reason', async () => {
  const without = await createWorld();
  try {
    const agentId = await without.makeAgent();
    const as = await without.token();
    const answer = await without.ask('POST', `/app/agents/${agentId}/brief/chat`, { as, body: { message: 'Why?' } });
    expectFailure(answer, 409, 'copilot_not_configured');
  } finally {
    await without.close();
  }
});
