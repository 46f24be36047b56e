import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../../src/db/audit/audit.ts';
import { newId } from '../../../src/ids.ts';
import { createAuthenticator } from '../../../src/operations/access/authenticate.ts';
import type { RawRequest } from '../../../src/operations/admission.ts';
import { approveGoalPlan } from '../../../src/operations/goals/approve-goal-plan.ts';
import { createGoal } from '../../../src/operations/goals/create-goal.ts';
import { createRunner } from '../../../src/operations/perform.ts';
import { captureVersion, endRun, makeTests, type OwnedAgent } from '../../support/runs.ts';
import { makeSpec } from '../../support/specs.ts';
import { createWorld, expectFailure, type Loose, type World } from '../../support/world.ts';

let world: World;
let agent: OwnedAgent;
let testIds: string[];
let person: string;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent() };
  await captureVersion(world.database, agent, 3);
  testIds = await makeTests(world.database, agent, 3);
  person = await world.token();
});

const app = (path = '') => `/app/agents/${agent.agentId}/goals${path}`;
const v1 = (path = '') => `/v1/agents/${agent.agentId}/goals${path}`;
const wish = { title: 'Bookings', request: 'Callers should get their booking.' };
const open = async (body: object = {}): Promise<Loose> =>
  (await world.ask('POST', app(), { as: person, body: { ...wish, testCaseIds: testIds, ...body } })).body;
const approve = (goalId: string, testCaseIds: unknown, as = person) =>
  world.ask('POST', v1(`/${goalId}/approve-plan`), { as, body: { testCaseIds } });
const startRun = (body: object, as = world.writeKey) =>
  world.ask('POST', `/v1/agents/${agent.agentId}/runs`, { as, body });

describe('a goal', () => {
  test('is opened by a person, in the shape of the contract, and read by keys', async () => {
    const made = await open();
    expect(made).toEqual({
      object: 'goal',
      id: expect.any(String),
      agentId: agent.agentId,
      ...wish,
      origin: 'api',
      status: 'open',
      conversationId: null,
      plan: { approved: false, approvedAt: null, approvedBy: null, testCaseIds: testIds },
      createdBy: world.personId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await world.get(v1(`/${made.id}`))).body).toEqual(made);
    expectFailure(await world.ask('POST', app(), { as: world.writeKey, body: wish }), 403, 'people_only');
  });

  test('without named tests has a plan of those that its words ask for, with reasons and a price', async () => {
    const caller = { ...makeSpec().caller, goal: 'Move a cleaning to another week.' };
    const [moves = ''] = await makeTests(world.database, agent, 1, { caller });
    const { id, plan } = await open({ testCaseIds: undefined, request: 'Cleanings should be moved to any week.' });
    expect(plan.testCaseIds).toEqual([moves]);
    const { body } = await world.get(v1(`/${id}/plan`));
    expect(body).toMatchObject({
      object: 'goal_plan',
      tests: [{ testId: moves, title: 'Test 1', reason: expect.stringContaining('cleanings, moved, week') }],
      suggested: [],
      unmatched: ['bookings'],
      // One test, played twice at most, at 0.05 USD.
      price: { testCalls: 1, cost: { platformUsd: 0.1, serviceUsd: 0 } },
    });
    const bare = await open({ testCaseIds: undefined, title: 'x', request: 'Be nicer.' });
    expect(bare.plan.testCaseIds).toEqual([]);
  });

  test('is listed newest first, by status, page by page', async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    await world.ask('POST', app(`/${second.id}/close`), { as: person });
    const ids = async (query: string) => (await world.get(v1(query))).body.data.map(({ id }: Loose) => id);
    expect(await ids('')).toEqual([third.id, second.id, first.id]);
    expect(await ids('?status=open')).toEqual([third.id, first.id]);
    expect(await ids('?status=closed')).toEqual([second.id]);
    const page = (await world.get(v1('?limit=2'))).body;
    expect(await ids(`?limit=2&cursor=${page.nextCursor}`)).toEqual([first.id]);
    expectFailure(await world.get(v1(`?status=open&cursor=${page.nextCursor}`)), 400, 'invalid_cursor', 'cursor');
    expectFailure(await world.get(v1('?status=done')), 400, 'invalid_parameter', 'status');
    expectFailure(await world.get(v1('?status=open&status=closed')), 400, 'invalid_parameter', 'status');
  });

  test.each<[string, object, string | null]>([
    ['no title', { request: 'x' }, 'title'],
    ['an empty title', { ...wish, title: ' ' }, 'title'],
    ['a long title', { ...wish, title: 'x'.repeat(201) }, 'title'],
    ['hidden characters', { ...wish, request: 'a\u202eb' }, 'request'],
    ['a long request', { ...wish, request: 'x'.repeat(8001) }, 'request'],
    ['an unknown field', { ...wish, origin: 'mcp' }, 'origin'],
    ['no list of tests', { ...wish, testCaseIds: 'all' }, 'testCaseIds'],
    ['an id that is none', { ...wish, testCaseIds: ['x'] }, 'testCaseIds[0]'],
    ['too many tests', { ...wish, testCaseIds: Array.from({ length: 201 }, newId) }, 'testCaseIds'],
  ])('with %s is refused', async (_, body, param) => {
    expectFailure(await world.ask('POST', app(), { as: person, body }), 400, 'invalid_parameter', param);
  });

  test('holds no test twice and no test of another agent', async () => {
    const other = { ...agent, agentId: await world.makeAgent() };
    const [foreign = ''] = await makeTests(world.database, other, 1);
    const [own = ''] = testIds;
    const ask = (testCaseIds: string[]) => world.ask('POST', app(), { as: person, body: { ...wish, testCaseIds } });
    expectFailure(await ask([own, own.toUpperCase()]), 400, 'invalid_parameter', 'testCaseIds[1]');
    expectFailure(await ask([own, foreign]), 404, 'test_not_found', 'testCaseIds[1]');
    const { id } = await open();
    expectFailure(await approve(id, [foreign]), 404, 'test_not_found', 'testCaseIds[0]');
    expectFailure(await approve(id, [newId()]), 404, 'test_not_found', 'testCaseIds[0]');
  });
});

describe('a plan', () => {
  test('is approved by people only, refused to keys before anything else of it is looked at', async () => {
    const { id } = await open();
    for (const key of [world.readKey, world.writeKey]) {
      expectFailure(await approve(id, testIds, key), 403, 'people_only');
      expectFailure(await approve(newId(), 'nonsense', key), 403, 'people_only');
      expectFailure(await world.ask('POST', v1('/nonsense/approve-plan'), { as: key }), 403, 'people_only');
    }
    expectFailure(await approve(newId(), testIds), 404, 'goal_not_found');
    expectFailure(
      await world.ask('POST', v1('/nonsense/approve-plan'), { as: person }),
      400,
      'invalid_parameter',
      'goalId',
    );
    expectFailure(await approve(id, undefined), 400, 'invalid_parameter', 'testCaseIds');
    const { status, body } = await approve(id, testIds.toReversed());
    expect(status).toBe(200);
    expect(body.plan).toEqual({
      approved: true,
      approvedAt: expect.any(String),
      approvedBy: world.personId,
      testCaseIds: testIds.toReversed(),
    });
  });

  test('approved again is replaced, also by no tests at all and by two people at once', async () => {
    const { id } = await open();
    await approve(id, testIds);
    expect((await approve(id, [])).body.plan).toMatchObject({ approved: true, testCaseIds: [] });
    const member = await world.token(await world.makeMember('member'));
    const both = await Promise.all([approve(id, testIds.slice(0, 1)), approve(id, testIds.slice(1, 2), member)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { plan } = (await world.get(v1(`/${id}`))).body;
    expect([testIds.slice(0, 1), testIds.slice(1, 2)]).toContainEqual(plan.testCaseIds);
    expect(plan.approvedBy === world.personId).toBe(plan.testCaseIds[0] === testIds[0]);
  });

  test('that is changed is a proposal again, and one that stays the same keeps its approval', async () => {
    const { id } = await open();
    await approve(id, testIds);
    const change = (body: object) => world.ask('PATCH', app(`/${id}`), { as: person, body });
    expect((await change({ title: 'Bookings, all of them' })).body).toMatchObject({
      title: 'Bookings, all of them',
      plan: { approved: true },
    });
    expect((await change({ testCaseIds: testIds })).body.plan.approved).toBe(true);
    expect((await change({ testCaseIds: testIds.slice(1) })).body.plan).toEqual({
      approved: false,
      approvedAt: null,
      approvedBy: null,
      testCaseIds: testIds.slice(1),
    });
    expectFailure(await change({}), 400, 'invalid_body');
    expectFailure(await change({ request: 'Something else.' }), 400, 'invalid_parameter', 'request');
  });
});

describe('the copilot', () => {
  test('opens a goal for its person, and is refused the approval as keys are', async () => {
    const runner = createRunner(world.services, createAuthenticator(world.services));
    const asked = (path: Record<string, string>): RawRequest => ({
      requestId: 'req',
      address: '127.0.0.1',
      authorization: `Bearer ${person}`,
      refreshSecret: null,
      surface: 'copilot',
      headers: {},
      path: { agentId: agent.agentId, ...path },
    });
    const opened = await runner.finish(await runner.admit(createGoal, asked({})), {}, { kind: 'parsed', value: wish });
    expect(opened.body).toMatchObject({ origin: 'copilot', createdBy: world.personId });
    const { id } = await open();
    const refused = await runner.admit(approveGoalPlan, asked({ goalId: id })).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'people_only', status: 403 });
  });
});

describe('a run for a goal', () => {
  test('starts once a person has approved its plan, with tests of the plan alone', async () => {
    const { id: goalId } = await open();
    const first = testIds.slice(0, 1);
    expectFailure(await startRun({ testIds: first, goalId }), 409, 'plan_not_approved', 'goalId');
    await approve(goalId, first);
    expectFailure(await startRun({ all: true, goalId }), 409, 'plan_not_approved', 'testIds');
    expectFailure(await startRun({ testIds: first, goalId: newId() }), 404, 'goal_not_found', 'goalId');
    const { status, body: run } = await startRun({ testIds: first, goalId: goalId.toUpperCase() });
    expect(status).toBe(201);
    await startRun({ testIds: first });
    const ofGoal = await world.get(`/v1/agents/${agent.agentId}/runs?goalId=${goalId}`);
    expect(ofGoal.body.data.map(({ id }: Loose) => id)).toEqual([run.id]);
    expect((await world.get(v1(`/${goalId}/progress`))).body).toMatchObject({
      object: 'goal_progress',
      planned: 1,
      played: 0,
      runs: [{ runId: run.id, status: 'queued', version: 3 }],
      versions: { before: { version: 3, calls: 0 }, after: null, comparisonIds: [] },
      closing: null,
    });
  });

  test('shows how the plan did before and after, and stands in the audit log with its goal', async () => {
    const { id: goalId } = await open();
    await approve(goalId, testIds);
    await approve(goalId, testIds, world.writeKey);
    const { body: run } = await startRun({ testIds, goalId });
    await endRun(world.database, agent, run.id);
    const { body } = await world.get(v1(`/${goalId}/progress`));
    expect(body).toMatchObject({ planned: 3, played: 0, runs: [{ status: 'complete' }], tests: [] });
    const rescored = await world.ask('POST', `/v1/agents/${agent.agentId}/runs/${run.id}/rescore`, {
      as: world.writeKey,
    });
    await startRun({ testIds: testIds.slice(0, 1), goalId: newId() });
    const scope = { workspaceId: agent.workspaceId, agentId: agent.agentId };
    const entries = await listAuditEntries(
      world.database.within(agent.workspaceId),
      scope,
      { principalKind: null },
      { after: null, limit: 9 },
    );
    expect(entries.map(({ operation, status, goalId: of }) => [operation, status, of])).toEqual([
      ['startRun', 404, null],
      ['rescoreRun', rescored.status, goalId],
      ['startRun', 201, goalId],
      ['approveGoalPlan', 403, goalId],
      ['approveGoalPlan', 200, goalId],
      ['createGoal', 200, goalId],
    ]);
  });
});

describe('the progress of a goal', () => {
  test('holds each test in the first and in the newest run against one another', async () => {
    const { id: goalId } = await open();
    await approve(goalId, testIds);
    const play = async (results: string[]) => {
      const { body: run } = await startRun({ testIds, goalId });
      for (const [at, result] of results.entries()) {
        await sql`update run_cells set result = ${result}, n = 1 where run_id = ${run.id} and position = ${at}`.execute(
          world.database.em().getKysely(),
        );
      }
      await endRun(world.database, agent, run.id);
      return run.id;
    };
    const first = await play(['failed', 'passed', 'error']);
    await play(['failed', 'failed', 'failed']);
    const last = await play(['passed', 'failed', 'error']);
    const { body } = await world.get(v1(`/${goalId}/progress`));
    expect(body).toMatchObject({ planned: 3, played: 3, passed: 1 });
    expect(body.message).toBe('1 of 3 planned tests pass; against the first run 1 is fixed and 1 newly broken.');
    expect(body.tests).toMatchObject([
      { testId: testIds[0], before: { runId: first }, after: { runId: last, result: 'passed' }, change: 'fixed' },
      { testId: testIds[1], before: { result: 'passed' }, after: { result: 'failed' }, change: 'newly_broken' },
      { testId: testIds[2], before: { result: 'failed' }, after: null, change: null },
    ]);
  });

  test('shows the version that was live when it was opened beside the one that is now', async () => {
    const { id: goalId } = await open();
    await captureVersion(world.database, agent, 4);
    const { body } = await world.get(v1(`/${goalId}/progress`));
    expect(body.versions).toMatchObject({ before: { version: 3, calls: 0 }, after: { version: 4, calls: 0 } });
  });
});

describe('a closed goal', () => {
  test('keeps what came of it, and takes no plan, no change and no run', async () => {
    const { id } = await open();
    await approve(id, testIds);
    const close = (body?: object) => world.ask('POST', app(`/${id}/close`), { as: person, ...(body ? { body } : {}) });
    expectFailure(await close({ cameOf: '' }), 400, 'invalid_parameter', 'cameOf');
    expect((await close({ cameOf: 'Version 4 books.' })).body).toMatchObject({
      status: 'closed',
      plan: { approved: true },
    });
    expect((await world.get(v1(`/${id}/progress`))).body.closing).toEqual({
      cameOf: 'Version 4 books.',
      figures: 'None of the 3 planned tests was played to a verdict.',
      closedAt: expect.any(String),
      closedBy: world.personId,
    });
    expectFailure(await close(), 409, 'goal_closed');
    expectFailure(await approve(id, testIds), 409, 'goal_closed');
    expectFailure(await world.ask('PATCH', app(`/${id}`), { as: person, body: { title: 'x' } }), 409, 'goal_closed');
    expectFailure(await startRun({ testIds, goalId: id }), 409, 'goal_closed');
    expectFailure(await world.ask('POST', app(`/${id}/draft-tests`), { as: person }), 409, 'goal_closed');
  });

  test('is none of another workspace, nor of another agent', async () => {
    const { id } = await open();
    const other = await world.makeWorkspace();
    const strangerKey = await world.makeKey({ workspaceId: other.workspaceId, access: 'write' });
    expectFailure(await world.get(v1(`/${id}`), strangerKey), 404, 'agent_not_found');
    expectFailure(await approve(id, [], await world.token(other)), 404, 'agent_not_found');
    const elsewhere = await world.makeAgent();
    expectFailure(await world.get(`/v1/agents/${elsewhere}/goals/${id}`), 404, 'goal_not_found');
  });
});
