import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSignal } from '../support/analysed-calls.ts';
import { minute, seedCalls } from '../support/seed.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

const CODE = 'question_unanswered';

let world: World;
let agentId: string;
let token: string;
let ids: string[];

beforeAll(async () => {
  world = await createWorld();
  token = await world.token();
  agentId = await world.makeAgent();
  ids = await seedCalls(
    world,
    agentId,
    Array.from({ length: 5 }, (_, at) => ({
      call: { providerCallId: `call ${at}`, startedAt: minute(at) },
      analysis: { signals: [makeSignal({ code: CODE })] },
    })),
  );
  await sql`update call_signals set basis = 'model' where agent_id = ${agentId}`.execute(
    world.database.em().getKysely(),
  );
});
afterAll(() => world.close());

const settings = async () => (await world.get(`/app/agents/${agentId}/settings`, token)).body;
const change = (body: object) => world.ask('PATCH', `/app/agents/${agentId}`, { as: token, body });
const ofCode = async () => {
  const { body } = await world.get(`/v1/agents/${agentId}/coverage`, token);
  return body.signals.find(({ code }: Loose) => code === CODE).model;
};

test('a model assists until a person lets it decide, and coverage says so by code', async () => {
  expect(await settings()).toMatchObject({ modelReading: 'assist', modelReturned: [] });
  expect(await ofCode()).toBeNull();
  expect((await change({ modelReading: 'decide' })).status).toBe(200);
  expect(await settings()).toMatchObject({ modelReading: 'decide' });
  expect(await ofCode()).toEqual({ decides: true, reason: null, precision: null, dropped: [] });
  expectFailure(await change({ modelReading: 'always' }), 400, 'invalid_parameter', 'modelReading');
});

test('people’s labels take a code from it, with the reason, until a person gives it back', async () => {
  for (const callId of ids) {
    const body = { code: CODE, turnIndex: 1, label: 'wrong' };
    await world.ask('POST', `/app/agents/${agentId}/calls/${callId}/signals/labels`, { as: token, body });
  }
  const reason = expect.stringContaining('People found 0 of 5 right');
  expect(await settings()).toMatchObject({ modelReturned: [{ code: CODE, right: 0, wrong: 5, reason }] });
  expect(await ofCode()).toMatchObject({ decides: false, reason, precision: { right: 0, wrong: 5 } });
  expect((await change({ trustModelAgain: [CODE] })).status).toBe(200);
  expect(await settings()).toMatchObject({ modelReturned: [] });
  expect(await ofCode()).toEqual({ decides: true, reason: null, precision: null, dropped: [] });
});
