import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { daysAgo, groupAndLive, many, readCalls } from '../support/evidence.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let token: string;
let agentId: string;
let issueId: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  token = await world.token();
  agentId = await world.makeAgent({ provider: 'file' });
  const agent = { agentId, workspaceId: world.workspaceId };
  await readCalls(world.database, agent, [
    ...many(4, 'shown', { daysAgo: 3, shows: true }),
    ...many(16, 'fine', { daysAgo: 1 }),
  ]);
  await groupAndLive(world.database, agent);
  const { rows } = await sql<{ id: string }>`select id from issues where agent_id = ${agentId}`.execute(
    world.database.em().getKysely(),
  );
  issueId = rows[0]?.id ?? '';
});

const path = (rest = '') => `/app/agents/${agentId}/issues/${issueId}${rest}`;
const change = (body: object) => world.ask('PATCH', path(), { as: token, body });
const read = () => world.get(path(), token);
const care = async () => (await world.get(`/app/agents/${agentId}/issue-care`, token)).body.data as Loose[];
const board = async () => (await world.get(`/v1/agents/${agentId}/issues`)).body.data as Loose[];
const history = async () => (await world.get(path('/history'), token)).body.data as Loose[];
const orders = async () => {
  const { rows } = await sql<{ workflowId: string }>`
    select workflow_id as "workflowId" from outbox_entries where agent_id = ${agentId} order by created_at`.execute(
    world.database.em().getKysely(),
  );
  return rows.map((row) => row.workflowId);
};

test('an issue at work says when it counts as resolved and how sure that is', async () => {
  const { status, body } = await read();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: 'issue_at_work',
    issue: { id: issueId, status: 'discovered', fix: { state: 'no_change' } },
    owner: null,
    snooze: null,
    comments: 0,
    resolution: { state: 'waits_for_time', callsWithout: 16, pastRate: 1, moreCallsUntilSure: 0 },
  });
  const inDays = (Date.parse(body.resolution.dueAt) - Date.now()) / 86_400_000;
  expect(Math.round(inDays)).toBe(4);
});

describe('a status set by a person', () => {
  test('holds at once, with who and why, and has the agent grouped and its dates looked at', async () => {
    const before = (await orders()).length;
    const { status, body } = await change({ status: 'investigating', reason: 'Ann looks at the logs.' });
    expect(status).toBe(200);
    expect(body.issue.status).toBe('investigating');
    expect((await history())[0]).toMatchObject({
      from: 'discovered',
      to: 'investigating',
      trigger: 'person',
      person: { id: world.personId, name: 'An admin' },
      reason: 'Ann looks at the logs.',
    });
    expect((await orders()).slice(before).toSorted()).toEqual([`agent/${agentId}`, `grace/${agentId}`]);
    const { body: explained } = await world.get(`/v1/agents/${agentId}/issues/${issueId}/explanation`);
    expect(explained.history.at(-1)).toMatchObject({ to: 'investigating', personId: world.personId });
    expect(explained).toMatchObject({ resolution: { state: 'waits_for_time', callsWithout: 16 }, spike: null });
  });

  test('resolved leaves the board and the count, taken up again comes back to both', async () => {
    const { body } = await change({ status: 'resolved', reason: 'Done.' });
    expect(body).toMatchObject({ issue: { status: 'resolved' }, rejected: false, resolvedAt: expect.any(String) });
    expect(await board()).toEqual([]);
    expect((await world.get(`/v1/agents/${agentId}`)).body.counts.openIssues).toBe(0);
    await change({ status: 'investigating' });
    expect(await board()).toMatchObject([{ id: issueId, status: 'investigating' }]);
    expect((await world.get(`/v1/agents/${agentId}`)).body.counts.openIssues).toBe(1);
    const { body: again } = await read();
    // A new grace period begins where it was taken up again, so the evidence of before does not resolve it at once.
    expect(again).toMatchObject({ resolvedAt: null, resolution: { state: 'waits_for_calls' } });
  });

  test('a fix takes the current version or the one named, and says how it does', async () => {
    const { body } = await change({ status: 'fix_deployed' });
    expect(body.issue).toMatchObject({ status: 'fix_deployed', fix: { state: 'regressed', version: 1 } });
    const { body: next } = await change({ status: 'fix_deployed', version: 2 });
    expect(next.issue.fix).toMatchObject({ state: 'waiting_for_calls', version: 2, liveDays: 0 });
    const agent = { agentId, workspaceId: world.workspaceId };
    await readCalls(world.database, agent, many(3, 'two', { daysAgo: 0.5, version: 2 }));
    await groupAndLive(world.database, agent);
    expect((await read()).body.issue.fix).toMatchObject({ state: 'measuring', version: 2 });
    const { body: held } = await change({ status: 'resolved' });
    expect(held.issue.fix).toMatchObject({ state: 'held', version: 2 });
    expect((await history())[1]).toMatchObject({ reason: 'Fixed in version 2.' });
  });

  test('rejecting by the fixed name of the route resolves it for good', async () => {
    const { status, body } = await world.ask('POST', path('/status'), {
      as: token,
      body: { status: 'resolved', rejected: true, reason: 'The tool is meant to fail then.' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ issue: { status: 'resolved' }, rejected: true });
    expect((await history())[0]).toMatchObject({
      trigger: 'rejected',
      reason: 'Rejected: no real problem. The tool is meant to fail then.',
    });
    await sql`update issues set resolved_at = now() - interval '1 day' where id = ${issueId}`.execute(
      world.database.em().getKysely(),
    );
    const agent = { agentId, workspaceId: world.workspaceId };
    await readCalls(world.database, agent, [{ id: 'again', daysAgo: 0.1, shows: true }]);
    await groupAndLive(world.database, agent);
    expect((await read()).body.issue.status).toBe('resolved');
    expect((await change({ status: 'investigating' })).body).toMatchObject({ rejected: false });
  });

  test('what is so already changes nothing and is no history', async () => {
    await change({ status: 'investigating' });
    const before = (await history()).length;
    expect((await change({ status: 'investigating' })).status).toBe(200);
    expect(await history()).toHaveLength(before);
  });

  test('and a grouping that runs at the same moment hold each other up, and neither fails', async () => {
    const agent = { agentId, workspaceId: world.workspaceId };
    const statuses = ['investigating', 'fix_deployed', 'measuring', 'resolved'] as const;
    const changes = Array.from({ length: 12 }, (_, at) => change({ status: statuses[at % 4] }));
    const groupings = Array.from({ length: 6 }, async (_, at) => {
      await readCalls(world.database, agent, [{ id: `beside${at}`, daysAgo: 0.01 * at, shows: at % 2 === 0 }]);
      await groupAndLive(world.database, agent);
    });
    const [answers] = await Promise.all([Promise.all(changes), Promise.all(groupings)]);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const entries = (await history()).toReversed();
    // Whatever the order was, each change went on from the one before.
    const steps = entries.filter(({ from }) => from !== null);
    expect(steps.slice(1).map(({ from }) => from)).toEqual(steps.slice(0, -1).map(({ to }) => to));
  });

  test('is refused with words where the issue cannot take it', async () => {
    await change({ status: 'resolved' });
    expectFailure(await change({ status: 'measuring' }), 409, 'issue_status_refused', 'status');
    await sql`update issues set withdrawn_at = now() where id = ${issueId}`.execute(world.database.em().getKysely());
    const answer = await change({ status: 'investigating' });
    expectFailure(answer, 409, 'issue_status_refused', 'status');
    expect(answer.body.error.message).toContain('withdrew');
  });

  test.each([
    [{}, 'invalid_body', null],
    [{ reason: 'Why not.' }, 'invalid_body', null],
    [{ status: 'regressed' }, 'invalid_parameter', 'status'],
    [{ status: 'discovered' }, 'invalid_parameter', 'status'],
    [{ status: 'measuring', version: 3 }, 'invalid_parameter', 'version'],
    [{ status: 'measuring', rejected: true }, 'invalid_parameter', 'rejected'],
    [{ ownerId: 'nobody' }, 'invalid_parameter', 'ownerId'],
    [{ snoozedUntil: 'tomorrow' }, 'invalid_parameter', 'snoozedUntil'],
    [{ snoozedUntil: '2020-01-01T00:00:00Z' }, 'invalid_parameter', 'snoozedUntil'],
    [{ color: 'red' }, 'invalid_parameter', 'color'],
  ])('%j is refused before anything is changed', async (body, code, param) => {
    expectFailure(await change(body), 400, code, param);
    expect(await history()).toHaveLength(1);
  });
});

describe('who looks after an issue', () => {
  test('is a member of the workspace, or nobody', async () => {
    const member = await world.makeMember('member');
    expect((await change({ ownerId: member.personId })).body.owner).toEqual({ id: member.personId, name: 'A member' });
    expect((await history())[0]).toMatchObject({ trigger: 'owner', from: 'discovered', to: 'discovered' });
    const { body: explained } = await world.get(`/v1/agents/${agentId}/issues/${issueId}/explanation`);
    expect(explained.history.map(({ trigger }: Loose) => trigger)).toEqual(['confirmed']);
    const owner = { id: member.personId, name: 'A member' };
    expect(await care()).toEqual([{ object: 'issue_care', issueId, owner, snooze: null }]);
    expect((await change({ ownerId: null })).body.owner).toBeNull();
    expect(await care()).toEqual([]);
    const stranger = await world.makeWorkspace();
    expectFailure(await change({ ownerId: stranger.personId }), 404, 'member_not_found', 'ownerId');
    expectFailure(await change({ ownerId: newId() }), 404, 'member_not_found', 'ownerId');
  });
});

describe('a snooze', () => {
  test('has an end, changes no list, and ends when told', async () => {
    const listed = await board();
    const until = daysAgo(-2);
    const { body } = await change({ snoozedUntil: until });
    expect((await care())[0]).toMatchObject({ issueId, owner: null, snooze: body.snooze });
    expect(body.snooze).toEqual({
      since: expect.any(String),
      until,
      by: { id: world.personId, name: 'An admin' },
      rate: 0.2,
    });
    expect((await board()).map(({ updatedAt: _, ...issue }) => issue)).toEqual(
      listed.map(({ updatedAt: _, ...issue }) => issue),
    );
    expect((await change({ snoozedUntil: null })).body.snooze).toBeNull();
    expect((await history()).map(({ trigger }) => trigger)).toEqual(['snooze_ended', 'snoozed', 'confirmed']);
  });

  test('until it grows ends when it does', async () => {
    expect((await change({ snoozedUntil: 'growth' })).body.snooze).toMatchObject({ until: null });
    const agent = { agentId, workspaceId: world.workspaceId };
    await readCalls(world.database, agent, many(20, 'more', { daysAgo: 0.5, shows: true }));
    await groupAndLive(world.database, agent);
    expect((await read()).body.snooze).toBeNull();
    expect((await history())[0]).toMatchObject({ trigger: 'snooze_ended', person: null });
  });
});

test('comments are kept in their order, with their lines, and told of', async () => {
  const member = await world.makeMember('member');
  const comment = (text: string, as: string) => world.ask('POST', path('/comments'), { as, body: { text } });
  expect(await comment('First line.\nSecond line.', token)).toMatchObject({ status: 200 });
  await comment('Seen too.', await world.token(member));
  const first = await world.get(path('/comments?limit=1'), token);
  expect(first.body).toMatchObject({ hasMore: true, data: [{ text: 'First line.\nSecond line.' }] });
  const second = await world.get(path(`/comments?limit=1&cursor=${first.body.nextCursor}`), token);
  expect(second.body).toMatchObject({ hasMore: false, data: [{ text: 'Seen too.', person: { name: 'A member' } }] });
  expect((await read()).body.comments).toBe(2);
  expectFailure(await comment(' ', token), 400, 'invalid_parameter', 'text');
  const { rows } = await sql<{ kind: string }>`
    select kind from workspace_events where ref = ${issueId} order by id desc limit 2`.execute(
    world.database.em().getKysely(),
  );
  expect(rows).toEqual([{ kind: 'issue.changed' }, { kind: 'issue.changed' }]);
});

test('an issue of another agent is none, and no key changes any', async () => {
  const other = await world.makeAgent();
  expectFailure(
    await world.ask('PATCH', `/app/agents/${other}/issues/${issueId}`, { as: token, body: { status: 'resolved' } }),
    404,
    'issue_not_found',
  );
  expectFailure(
    await world.ask('PATCH', path(), { as: world.writeKey, body: { status: 'resolved' } }),
    403,
    'people_only',
  );
});

test('a setting of the grace period has the dates looked at', async () => {
  const before = (await orders()).length;
  await world.ask('PATCH', `/app/agents/${agentId}`, { as: token, body: { graceDays: 3 } });
  expect((await orders()).slice(before)).toContain(`grace/${agentId}`);
});
