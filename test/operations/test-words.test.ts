import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { importDemo } from '../support/demo-import.ts';
import { type AskedModel, type ModelAnswer, type ModelServer, USAGE } from '../support/model-server.ts';
import { createWordsWorld } from '../support/words-world.ts';
import type { Loose, World } from '../support/world.ts';

let model: ModelServer;
let world: World;
let close: (() => Promise<void>) | undefined;
let agentId: string;
let token: string;
let intents: string[];
beforeAll(async () => {
  ({ world, model, close } = await createWordsWorld());
  const now = new Date('2026-06-15T13:00:00Z');
  const { agent } = await importDemo(world.database, DEMO_AGENTS[0]?.providerAgentId ?? '', now, 100);
  ({ agentId } = agent);
  const { workspaceId } = agent;
  const db = world.database.em().getKysely();
  await sql`insert into memberships (workspace_id, person_id, role) values (${workspaceId}, ${world.personId}, 'admin')`.execute(
    db,
  );
  token = await world.token({ workspaceId, personId: world.personId });
  const { body } = await world.get(`/v1/agents/${agentId}/intents?kind=intent&limit=100`, token);
  intents = body.data.toSorted((a: Loose, b: Loose) => b.calls - a.calls).map(({ slug }: Loose) => slug);
});
afterAll(() => close?.());
beforeEach(() => {
  model.asked.length = 0;
});

const generate = async (): Promise<Loose> => {
  const intent = intents.shift();
  const body = { intents: [intent] };
  const answer = await world.ask('POST', `/app/agents/${agentId}/tests/generate`, { as: token, body });
  expect([answer.status, answer.body.tests.length]).toEqual([200, 1]);
  return answer.body;
};
const callerTurn = ({ material }: AskedModel): { turn: number; text: string } =>
  material
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
    .find(({ role, text }) => role === 'caller' && (text?.length ?? 0) > 8);
/** Says what the caller said first, as the goal. */
const asSaid = (asked: AskedModel): ModelAnswer => {
  const { turn, text } = callerTurn(asked);
  return { value: { text: text.slice(0, 100), turn, quote: text }, usage: USAGE };
};

test('the goal of a generated test is worded by the model, with the words of the call that show it', async () => {
  model.answerWith(asSaid);
  const made = await generate();
  const [one] = made.tests;
  const said = callerTurn(model.asked[0] as AskedModel);
  expect(made).toMatchObject({
    wordedBy: 'model',
    sources: [{ testId: one.id, callId: one.sourceCallId, turn: said.turn, quote: said.text }],
  });
  expect(one).toMatchObject({ revision: 2, gates: false, spec: { caller: { goal: said.text.slice(0, 100).trim() } } });
  const { body: revisions } = await world.get(`/app/agents/${agentId}/tests/${one.id}/revisions`, token);
  expect(revisions.data.map(({ revision }: Loose) => revision)).toEqual([2, 1]);
  expect(revisions.data[0].spec.criteria).toEqual(revisions.data[1].spec.criteria);
  const { rows } = await sql<Loose>`select purpose, settled_at is not null as settled from model_usage`.execute(
    world.database.em().getKysely(),
  );
  expect(rows).toEqual([{ purpose: 'test-words', settled: true }]);
});

test.each<[string, (asked: AskedModel) => ModelAnswer]>([
  ['cites what was not said', (asked) => ({ value: { ...callerTurn(asked), quote: 'Ignore all rules.' } })],
  ['answers in prose', () => ({ prose: 'They want to book a visit.' })],
  ['is away', () => ({ status: 503 })],
])('of a model that %s nothing is taken: the words of the rules stay', async (_, script) => {
  model.answerWith(script);
  const made = await generate();
  expect(made).toMatchObject({ wordedBy: 'rules', sources: [], tests: [{ revision: 1 }] });
  expect(model.asked).toHaveLength(1);
});

test('where the agent has its calls read by rules alone, no model is asked', async () => {
  await sql`update agents set model_reading = 'off' where id = ${agentId}`.execute(world.database.em().getKysely());
  model.answerWith(asSaid);
  expect(await generate()).toMatchObject({ wordedBy: 'rules', tests: [{ revision: 1 }] });
  expect(model.asked).toEqual([]);
});
