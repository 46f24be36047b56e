import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findPersonas } from '../../src/db/tests/personas.ts';
import { loadTestsForRun } from '../../src/db/tests/tests.ts';
import { BUILT_IN_PERSONAS } from '../../src/domain/tests/personas.ts';
import { newId } from '../../src/ids.ts';
import { walk } from '../support/seed.ts';
import { makeSpec } from '../support/specs.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let token: string;
let agentId: string;
let sets: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  token = await world.token();
  agentId = await world.makeAgent({ provider: 'file' });
  sets = `/app/agents/${agentId}/test-sets`;
});

const written = async (title = 'T'): Promise<Loose> =>
  (await world.ask('POST', `/v1/agents/${agentId}/tests`, { as: token, body: { title, spec: makeSpec() } })).body;
const change = (id: string, body: object, as = token) =>
  world.ask('PATCH', `/app/agents/${agentId}/tests/${id}`, { as, body });
const testsOfAgent = async () => (await world.get(`/v1/agents/${agentId}`)).body.counts.tests;
const load = (selection: Parameters<typeof loadTestsForRun>[2]) =>
  loadTestsForRun(world.database.within(world.workspaceId), agentId, selection);

describe('how a test counts', () => {
  test('is changed by a person, one thing at a time', async () => {
    const { id } = await written();
    const { status, body } = await change(id, { title: 'Renamed', guard: true, lane: 'flow' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Renamed', guard: true, lane: 'flow', expect: 'pass', revision: 1 });
    expect((await change(id, { lane: null })).body).toMatchObject({ title: 'Renamed', lane: null });
  });

  test('has to be calibrated again when something else is expected of it', async () => {
    const { id } = await written();
    expect((await change(id, { expect: 'pass' })).body.gateReason).toBe('Not calibrated yet.');
    expect((await change(id, { expect: 'fail' })).body).toMatchObject({ expect: 'fail', gates: false });
    expect((await change(id, { expect: 'fail' })).body.gateReason).toContain('Calibrate the test again');
  });

  test('is nothing for keys, and nothing is no change', async () => {
    const { id } = await written();
    expectFailure(await change(id, { guard: true }, world.writeKey), 403, 'people_only');
    expectFailure(await change(id, {}), 400, 'invalid_body');
  });
});

describe('an archived test', () => {
  test('leaves lists, counts and runs of all tests, can still be read, and comes back', async () => {
    const [kept, gone] = [await written(), await written()];
    expect((await change(gone.id, { archived: true })).body.archivedAt).toEqual(expect.any(String));
    await change(gone.id, { archived: true });
    expect(await testsOfAgent()).toBe(1);
    expect((await load({ all: true })).tests.map(({ id }) => id)).toEqual([kept.id]);
    expect(await load({ testIds: [gone.id] })).toEqual({ tests: [], missing: [gone.id] });
    expect((await world.get(`/v1/agents/${agentId}/tests/${gone.id}`)).status).toBe(200);
    expect((await change(gone.id, { archived: false })).body.archivedAt).toBeNull();
    expect(await testsOfAgent()).toBe(2);
  });

  test('is counted once when two people archive it at the same moment', async () => {
    const [gone] = [await written(), await written()];
    await Promise.all([1, 2, 3, 4].map(() => change(gone.id, { archived: true })));
    expect(await testsOfAgent()).toBe(1);
  });
});

describe('what a run loads', () => {
  test('are the tests asked for, in that order, with the spec in force, and what names none', async () => {
    const [a, b, c] = [await written('A'), await written('B'), await written('C')];
    const { tests, missing } = await load({ testIds: [c.id.toUpperCase(), newId(), a.id] });
    expect(tests).toMatchObject([
      { id: c.id, title: 'C', revision: 1, gates: false, spec: makeSpec() },
      { id: a.id, title: 'A' },
    ]);
    expect(missing).toHaveLength(1);
    expect((await load({ all: true })).tests.map(({ id }) => id)).toEqual([a.id, b.id, c.id]);
  });

  test('of a set is its order without archived ones, and nothing of a set of another agent', async () => {
    const [a, b, c] = [await written('A'), await written('B'), await written('C')];
    const { body } = await world.ask('POST', sets, { as: token, body: { name: 'S', testIds: [c.id, b.id, a.id] } });
    await change(b.id, { archived: true });
    expect((await load({ testSetId: body.id })).tests.map(({ id }) => id)).toEqual([c.id, a.id]);
    agentId = await world.makeAgent({ provider: 'file' });
    expect((await load({ testSetId: body.id })).tests).toEqual([]);
  });
});

describe('a test set', () => {
  test('is made, changed, listed and removed; its tests stay', async () => {
    const [a, b] = [await written(), await written()];
    const made = await world.ask('POST', sets, {
      as: token,
      body: { name: 'Before a release', testIds: [b.id, a.id] },
    });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ object: 'test_set', testIds: [b.id, a.id], createdBy: world.personId });
    const url = `${sets}/${made.body.id}`;
    const changed = await world.ask('PATCH', url, { as: token, body: { testIds: [a.id] } });
    expect(changed.body).toMatchObject({ name: 'Before a release', testIds: [a.id] });
    expect((await world.get(`/v1/agents/${agentId}/test-sets`)).body.data).toEqual([changed.body]);
    const removed = await world.ask('DELETE', url, { as: token });
    expect(removed.body).toEqual({ object: 'test_set', id: made.body.id, removed: true });
    expectFailure(await world.ask('DELETE', url, { as: token }), 404, 'test_set_not_found');
    expect(await testsOfAgent()).toBe(2);
  });

  test('holds tests of its agent alone, each once', async () => {
    const own = await written();
    const ask = (testIds: string[]) => world.ask('POST', sets, { as: token, body: { name: 'S', testIds } });
    expectFailure(await ask([own.id, newId()]), 404, 'test_not_found', 'testIds[1]');
    expectFailure(await ask([own.id, own.id.toUpperCase()]), 400, 'invalid_parameter', 'testIds[1]');
    expectFailure(await ask([]), 400, 'invalid_parameter', 'testIds');
    agentId = await world.makeAgent({ provider: 'file' });
    sets = `/app/agents/${agentId}/test-sets`;
    expectFailure(await ask([own.id]), 404, 'test_not_found', 'testIds[0]');
  });

  test('is walked newest first', async () => {
    const { id } = await written();
    const made: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      made.push((await world.ask('POST', sets, { as: token, body: { name, testIds: [id] } })).body.id);
    }
    const rows = await walk(world, `/v1/agents/${agentId}/test-sets`, 2);
    expect(rows.map((row) => row.id)).toEqual(made.toReversed());
  });
});

describe('personas', () => {
  test('are at least six built-in ones, then the workspace’s own, in pages of any size', async () => {
    expect(BUILT_IN_PERSONAS.length).toBeGreaterThanOrEqual(6);
    const own = [];
    for (const name of ['Slow', 'Loud', 'Far away']) {
      const { body } = await world.ask('POST', '/app/personas', { as: token, body: { name, style: `Is ${name}.` } });
      expect(body).toMatchObject({ object: 'persona', builtIn: false, createdBy: world.personId });
      own.push(body.id);
    }
    const expected = [...BUILT_IN_PERSONAS.map(({ id }) => id), ...own];
    for (const limit of [1, 3, 4, 100]) {
      const rows = await walk(world, `/v1/agents/${agentId}/personas`, limit);
      expect(rows.map(({ id }) => id)).toEqual(expected);
    }
  });

  test('of another workspace are not seen, not found and not removed', async () => {
    const other = await world.makeWorkspace();
    const theirs = await world.ask('POST', '/app/personas', {
      as: await world.token(other),
      body: { name: 'Theirs', style: 'x' },
    });
    const { id } = theirs.body;
    const { data } = (await world.get(`/v1/agents/${agentId}/personas?limit=100`)).body;
    expect(data.map((row: Loose) => row.id)).not.toContain(id);
    expect(await findPersonas(world.database.within(world.workspaceId), world.workspaceId, [id])).toEqual([]);
    expectFailure(await world.ask('DELETE', `/app/personas/${id}`, { as: token }), 404, 'persona_not_found');
  });

  test('are found by slug and by id, in the order asked for, and removed by a person', async () => {
    const { body } = await world.ask('POST', '/app/personas', { as: token, body: { name: 'Mine', style: 'x' } });
    const em = world.database.within(world.workspaceId);
    const found = await findPersonas(em, world.workspaceId, [body.id.toUpperCase(), 'nobody', 'hurried', newId()]);
    expect(found.map(({ id }) => id)).toEqual([body.id, 'hurried']);
    const removed = await world.ask('DELETE', `/app/personas/${body.id}`, { as: token });
    expect(removed.body).toEqual({ object: 'persona', id: body.id, removed: true });
    expect(await findPersonas(em, world.workspaceId, [body.id])).toEqual([]);
  });
});

describe('the settings of an agent', () => {
  const settings = async () => (await world.get(`/app/agents/${agentId}/settings`, token)).body;
  const set = (body: object) => world.ask('PATCH', `/app/agents/${agentId}`, { as: token, body });

  test('say what its tests may cost and whether they run by themselves', async () => {
    expect(await settings()).toMatchObject({ testBudgetUsd: null, simulatedCallUsd: null, autoRuns: true });
    expect((await set({ testBudgetUsd: 12.5, simulatedCallUsd: 0.07, autoRuns: false })).status).toBe(200);
    expect(await settings()).toMatchObject({ testBudgetUsd: 12.5, simulatedCallUsd: 0.07, autoRuns: false });
  });

  test('keep what is not named, and take null for no limit and for the usual rate', async () => {
    await set({ testBudgetUsd: 0, simulatedCallUsd: 1, autoRuns: true });
    await set({ graceDays: 9 });
    expect(await settings()).toMatchObject({ testBudgetUsd: 0, simulatedCallUsd: 1, autoRuns: true, graceDays: 9 });
    await set({ testBudgetUsd: null, simulatedCallUsd: null, autoRuns: false });
    expect(await settings()).toMatchObject({ testBudgetUsd: null, simulatedCallUsd: null, autoRuns: false });
  });

  test('refuse amounts that are none', async () => {
    const member = await world.token(await world.makeMember('member'));
    const byMember = (body: object) => world.ask('PATCH', `/app/agents/${agentId}`, { as: member, body });
    expectFailure(await byMember({ testBudgetUsd: 5 }), 403, 'admin_only', 'testBudgetUsd');
    expectFailure(await byMember({ graceDays: 8, simulatedCallUsd: 0 }), 403, 'admin_only', 'simulatedCallUsd');
    for (const testBudgetUsd of [-1, 100_001, '5']) {
      expectFailure(await set({ testBudgetUsd }), 400, 'invalid_parameter', 'testBudgetUsd');
    }
  });
});
