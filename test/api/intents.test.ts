import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { finishMerges } from '../../src/db/intents/finish-merges.ts';
import { newId } from '../../src/ids.ts';
import { seedCalls } from '../support/seed.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let token: string;
let agentId: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  token = await world.token();
  agentId = await world.makeAgent({ provider: 'file' });
  await seedCalls(
    world,
    agentId,
    ['book a', 'book b', 'cancel c', 'cancel d', 'move e'].map((request, at) => ({
      call: { providerCallId: `call-${at}` },
      analysis: { requests: [{ turn: 1, text: request }], objective: request },
    })),
  );
});

const list = async (query = '?kind=intent') =>
  (await world.get(`/v1/agents/${agentId}/intents${query}`)).body.data as Loose[];
const idOf = async (slug: string, kind = 'intent') =>
  String((await list(`?kind=${kind}`)).find((one) => one.slug === slug)?.id);
const rename = (id: string, body: object, as = token) =>
  world.ask('PATCH', `/app/agents/${agentId}/intents/${id}`, { as, body });
const merge = (id: string, intoId: string, as = token) =>
  world.ask('POST', `/app/agents/${agentId}/intents/${id}/merge`, { as, body: { intoId } });
const callsOf = async (intent: string) =>
  (await world.get(`/v1/agents/${agentId}/calls?intent=${intent}`)).body.data as Loose[];

test('the list shows each intent with its calls, by kind and slug, in pages', async () => {
  expect((await list()).map(({ slug, calls, aliases, named }) => ({ slug, calls, aliases, named }))).toEqual([
    { slug: 'book', calls: 2, aliases: [], named: false },
    { slug: 'cancel', calls: 2, aliases: [], named: false },
    { slug: 'move', calls: 1, aliases: [], named: false },
  ]);
  const walked: string[] = [];
  let query = '?limit=3';
  for (let page = 0; page < 10; page += 1) {
    const { body } = await world.get(`/v1/agents/${agentId}/intents${query}`);
    walked.push(...body.data.map(({ kind, slug }: Loose) => `${String(kind)}/${String(slug)}`));
    if (body.nextCursor === null) break;
    query = `?limit=3&cursor=${body.nextCursor}`;
  }
  expect(walked).toHaveLength(10);
  expect(new Set(walked).size).toBe(10);
});

describe('a name', () => {
  test('that a person gives is shown on calls, and who gave it in the history', async () => {
    const id = await idOf('book');
    const { status, body } = await rename(id, { label: ' Dinner bookings ' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ slug: 'book', label: 'Dinner bookings', named: true });
    expect((await callsOf('book'))[0]?.intent).toEqual({ slug: 'book', label: 'Dinner bookings' });
    const { body: history } = await world.get(`/app/agents/${agentId}/intents/${id}/history`, token);
    expect(history.data).toMatchObject([
      { kind: 'renamed', from: 'book', to: 'Dinner bookings', person: { id: world.personId, name: 'An admin' } },
    ]);
  });

  test('is refused where it is empty, too long or hides characters', async () => {
    const id = await idOf('book');
    for (const label of ['', '  ', 'x'.repeat(81), 'a\u202eb']) {
      expectFailure(await rename(id, { label }), 400, 'invalid_parameter', 'label');
    }
  });

  test('is given by people alone', async () => {
    expectFailure(await rename(await idOf('book'), { label: 'X' }, world.writeKey), 403, 'people_only');
  });
});

describe('a merge', () => {
  test('answers with the one that stays, and the old slug finds its calls before and after they have moved', async () => {
    const { status, body } = await merge(await idOf('move'), await idOf('book'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ slug: 'book', calls: 3, aliases: ['move'], named: true });
    for (const moves of [false, true]) {
      const owner = { workspaceId: world.workspaceId, agentId };
      if (moves) expect(await finishMerges(world.database.within(world.workspaceId), owner)).toBe(1);
      for (const slug of ['move', 'book']) {
        const calls = await callsOf(slug);
        expect(calls).toHaveLength(3);
        expect(new Set(calls.map(({ intent }) => intent.slug))).toEqual(new Set(['book']));
      }
    }
  });

  test('has the agent grouped, so that calls and counts follow', async () => {
    await merge(await idOf('move'), await idOf('book'));
    const { rows } = await sql<{ action: string }>`select action from outbox_entries where agent_id = ${agentId}
      and workflow_id = ${`agent/${agentId}`}`.execute(world.database.em().getKysely());
    expect(rows).toEqual([{ action: 'regroup' }]);
  });

  test('is refused into itself, into another kind, into what is gone, and of what gathers no intent', async () => {
    const [book, cancel, move] = [await idOf('book'), await idOf('cancel'), await idOf('move')];
    const persona = await idOf('plain', 'persona');
    expectFailure(await merge(book, book), 400, 'invalid_parameter', 'intoId');
    expectFailure(await merge(book, persona), 400, 'invalid_parameter', 'intoId');
    expectFailure(await merge(book, newId()), 404, 'intent_not_found', 'intoId');
    await merge(move, cancel);
    expectFailure(await merge(move, book), 409, 'intent_merged');
    expectFailure(await merge(book, move), 409, 'intent_merged');
    expectFailure(await rename(move, { label: 'X' }), 409, 'intent_merged');
  });

  test('with an intent of another agent is answered like one with none', async () => {
    const other = await world.makeAgent({ provider: 'file' });
    await seedCalls(world, other, [{ call: { providerCallId: 'x' }, analysis: {} }]);
    const { body } = await world.get(`/v1/agents/${other}/intents?kind=intent`);
    const foreign = String(body.data[0]?.id);
    expectFailure(await merge(await idOf('book'), foreign), 404, 'intent_not_found', 'intoId');
    expectFailure(await merge(foreign, await idOf('book')), 404, 'intent_not_found');
  });
});
