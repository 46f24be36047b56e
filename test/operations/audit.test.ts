import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { auditEntry, workspaceAuditEntry } from '../../src/contract/audit.ts';
import { newId } from '../../src/ids.ts';
import { Failure } from '../../src/operations/failure.ts';
import { defineOperation, type Parent } from '../../src/operations/operation.ts';
import { checkTable, OPERATIONS } from '../../src/operations/table.ts';
import { useLink } from '../support/links.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

const answer = z.strictObject({ id: z.guid() });
const described = { tag: 'Tests', summary: 'x', description: 'x', response: answer } as const;
const madeId = newId();
const thingParent: Parent<string> = {
  param: 'thingId',
  notFound: 'test_not_found',
  format: 'uuid',
  load: async (_em, id) => (id === madeId ? id : null),
};
/** Renames the agent, so that what it did can be seen, and fails as it is told to. */
const writeThing = defineOperation({
  ...described,
  surface: 'v1',
  id: 'writeThing',
  method: 'POST',
  path: '/v1/agents/{agentId}/things',
  scope: 'write',
  status: 201,
  body: z.strictObject({ name: z.string(), fails: z.enum(['budget_exceeded', 'rescore_in_progress']).optional() }),
  async run({ em, agent }, { body }) {
    await sql`update agents set name = ${body.name} where id = ${agent.id}`.execute(em.getKysely());
    if (body.fails) throw new Failure(body.fails, 'As told.');
    if (body.name === 'broken') throw new Error('as told');
    return { id: madeId };
  },
});
const changeThing = defineOperation({
  ...described,
  surface: 'v1',
  id: 'changeThing',
  method: 'PATCH',
  path: '/v1/agents/{agentId}/things/{thingId}',
  scope: 'person',
  parents: [thingParent],
  run: async () => ({ id: madeId }),
});
const validateThing = defineOperation({
  ...described,
  surface: 'v1',
  id: 'validateThing',
  method: 'POST',
  path: '/v1/agents/{agentId}/things/validate',
  scope: 'read',
  run: async () => ({ id: madeId }),
});
const publishThing = defineOperation({
  ...described,
  surface: 'app',
  id: 'publishThing',
  method: 'POST',
  path: '/app/agents/{agentId}/things/publish',
  scope: 'person',
  run: async () => ({ id: madeId }),
});
const forgetfulThing = defineOperation({
  ...described,
  surface: 'app',
  id: 'forgetfulThing',
  method: 'POST',
  path: '/app/things/forgotten',
  scope: 'person',
  role: 'admin',
  transaction: false,
  run: async () => ({ id: madeId }),
});
const operations = [...OPERATIONS, writeThing, changeThing, validateThing, publishThing, forgetfulThing];

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld({ operations });
  token = await world.token();
});
beforeEach(() => sql`delete from audit_entries`.execute(world.database.em().getKysely()));
afterAll(() => world.close());

const things = () => `/v1/agents/${world.agentId}/things`;
const entries = async (query = '', as = world.readKey, agentId = world.agentId) => {
  const list = await world.get(`/v1/agents/${agentId}/audit${query}`, as);
  expect(list.status).toBe(200);
  return list.body.data as z.infer<typeof auditEntry>[];
};
const write = (body: unknown, as = world.writeKey) => world.ask('POST', things(), { as, body });

describe('what has an entry', () => {
  test('a write by a key, in the transaction of the write', async () => {
    expect((await write({ name: 'first' })).status).toBe(201);
    const [entry, ...more] = await entries();
    expect(more).toEqual([]);
    expect(auditEntry.parse(entry)).toMatchObject({
      surface: 'v1',
      principalKind: 'key',
      userId: null,
      tool: null,
      operation: 'writeThing',
      targetIds: [madeId],
      status: 201,
      goalId: null,
    });
    expect(entry?.apiKeyId).toMatch(/^[0-9a-f-]{36}$/);
    expect((await write({ name: 'broken' })).status).toBe(500);
    expect(await entries()).toHaveLength(1);
    expect((await world.get(`/v1/agents/${world.agentId}`)).body.name).toBe('first');
  });

  test('a refused write, whatever refused it once the agent was known', async () => {
    expectFailure(await write({ name: 'x' }, world.readKey), 403, 'key_read_only');
    expectFailure(await world.ask('PATCH', `${things()}/${madeId}`, { as: world.writeKey }), 403, 'people_only');
    expectFailure(await write({ name: 7 }), 400, 'invalid_parameter', 'name');
    expectFailure(await write({ name: 'x', fails: 'budget_exceeded' }), 402, 'budget_exceeded');
    expectFailure(await write({ name: 'x', fails: 'rescore_in_progress' }), 409, 'rescore_in_progress');
    expect((await entries()).map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'writeThing 409',
      'writeThing 402',
      'writeThing 400',
      'changeThing 403',
      'writeThing 403',
    ]);
  });

  test('not an unknown agent, not an unknown key, no read, no validation', async () => {
    await world.ask('POST', `/v1/agents/${newId()}/things`, { as: world.writeKey, body: {} });
    await world.ask('POST', things(), { body: {} });
    await world.ask('POST', `${things()}/validate`, { as: world.readKey });
    await world.get(`/v1/agents/${world.agentId}/calls/${newId()}`);
    expect(await entries()).toEqual([]);
  });

  test('what a person does, thresholds and watches too, and what they were refused', async () => {
    const asked = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, as = token) =>
      (await world.ask(method, `/app/agents/${world.agentId}${path}`, { as, ...(body && { body }) })).status;
    const watch = {
      name: 'Names the price',
      lane: 'speaking',
      scope: { kind: 'all_calls' },
      expectation: { kind: 'says', polarity: 'must', phrases: ['the price is'] },
    };
    expect(await asked('PATCH', '', { thresholds: { no_such_code: { words: 90 } } })).toBe(400);
    expect(await asked('PATCH', '', { thresholds: { monologue: { words: 90 } } })).toBe(200);
    expect(await asked('POST', '/things/publish')).toBe(200);
    const viewer = await world.token(await world.makeMember('viewer'));
    expect(await asked('POST', '/watches', watch, viewer)).toBe(403);
    expect(await asked('GET', '/settings')).toBe(200);
    const log = await entries();
    expect(log.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'createWatch 403',
      'publishThing 200',
      'updateAgent 200',
      'updateAgent 400',
    ]);
    expect(log[1]).toMatchObject({ surface: 'app', principalKind: 'person', userId: world.personId, apiKeyId: null });
  });

  test('is everything that changes something; what stores nothing, and what another entry tells of, is named', () => {
    const without = OPERATIONS.filter(({ changes, scope, audits }) => changes && scope !== 'public' && !audits);
    expect(without.map(({ id }) => id).toSorted()).toEqual([
      'askAboutBrief',
      'askCopilot',
      'beginConversation',
      'confirmCard',
      'dismissCard',
      'previewAlarm',
      'previewRecords',
      'previewThresholds',
      'readWatchWords',
      'stopCopilot',
      'tryCustomMetric',
      'validateTestSpec',
    ]);
  });

  test('a key that tries what only people do in the app', async () => {
    await world.ask('PATCH', `/app/agents/${world.agentId}`, { as: world.writeKey, body: { name: 'x' } });
    expect(await entries()).toMatchObject([{ surface: 'app', operation: 'updateAgent', status: 403 }]);
  });

  test('equal arguments have equal hashes, others have not, and nobody reads them back', async () => {
    await write({ name: 'a secret name' });
    await world.ask('POST', things(), {
      as: world.writeKey,
      payload: '{ "name" : "a secret name" }',
      headers: { 'content-type': 'application/json' },
    });
    await write({ name: 'another' });
    const hashes = (await entries()).map(({ argsHash }) => argsHash);
    expect(new Set(hashes).size).toBe(2);
    expect(hashes[1]).toBe(hashes[2]);
    expect(JSON.stringify(await entries())).not.toContain('secret name');
  });

  test('a malformed id is never stored as a target', async () => {
    expect((await world.ask('PATCH', `${things()}/nonsense`, { as: token })).status).toBe(400);
    await world.ask('PATCH', `${things()}/nonsense`, { as: world.writeKey });
    expect(await entries()).toMatchObject([
      { status: 403, targetIds: [world.agentId] },
      { status: 400, targetIds: [world.agentId] },
    ]);
  });

  test('an audited operation without a transaction does not start', () => {
    expect(() => checkTable([...OPERATIONS, { ...writeThing, transaction: false }])).toThrow('writeThing');
  });
});

describe('the audit log of a workspace', () => {
  const log = async (query = '', as = token) => {
    const list = await world.ask('GET', `/app/audit${query}`, { as });
    expect(list.status).toBe(200);
    return z.array(workspaceAuditEntry).parse(list.body.data);
  };
  const shown = (rows: { operation: string; status: number }[]) =>
    rows.map(({ operation, status }) => `${operation} ${status}`);

  test('has an entry for every act of security, with who acted and on what', async () => {
    const as = token;
    const email = `${newId()}@example.com`;
    const key = await world.ask('POST', '/app/keys', { as, body: { name: 'x', access: 'read' } });
    await world.ask('DELETE', `/app/keys/${key.body.id}`, { as });
    const invited = await world.ask('POST', '/app/members', { as, body: { email, name: 'Ann', role: 'member' } });
    const used = await useLink(world, invited, { password: 'a long enough password' });
    await world.ask('POST', '/app/sign-in', { body: { email, password: 'a long enough password' } });
    expect((await world.ask('POST', '/app/sign-in', { body: { email, password: 'not that one' } })).status).toBe(401);
    await expect.poll(async () => shown(await log())[0], { timeout: 60_000 }).toBe('signIn 401');
    await world.ask('POST', '/app/password', {
      as: used.body.token,
      body: { currentPassword: 'a long enough password', newPassword: 'another long password' },
    });
    const guessed = { currentPassword: 'a guess of somebody', newPassword: 'another long password' };
    expect((await world.ask('POST', '/app/password', { as: used.body.token, body: guessed })).status).toBe(401);
    await world.ask('PATCH', `/app/members/${invited.body.id}`, { as, body: { role: 'admin' } });
    await world.ask('DELETE', `/app/members/${invited.body.id}`, { as });
    const webhook = await world.ask('POST', '/app/webhooks', {
      as,
      body: { url: 'https://203.0.114.7/x', events: ['run.completed'], agentId: null },
    });
    await world.ask('PATCH', `/app/webhooks/${webhook.body.id}`, { as, body: { enabled: false } });
    const rows = await log();
    expect(shown(rows)).toEqual([
      'changeWebhook 200',
      'createWebhook 200',
      'removeMember 200',
      'changeRole 200',
      'changePassword 401',
      'changePassword 200',
      'signIn 401',
      'signIn 200',
      'useLink 200',
      'addMember 200',
      'revokeKey 200',
      'createKey 200',
    ]);
    expect(rows[0]?.targetIds).toEqual([webhook.body.id]);
    expect(rows[6]).toMatchObject({ userId: invited.body.id, targetIds: [] });
    expect(rows[7]).toMatchObject({ userId: invited.body.id, agentId: null, principalKind: 'person', surface: 'app' });
    expect(rows[9]).toMatchObject({ userId: world.personId, targetIds: [invited.body.id] });
    expect(rows[10]?.targetIds).toEqual([key.body.id]);
  });

  test('says what was refused, and shows its agents beside the workspace itself', async () => {
    const member = await world.token(await world.makeMember('member'));
    expectFailure(
      await world.ask('POST', '/app/members', {
        as: member,
        body: { email: 'a@example.com', name: 'A', role: 'admin' },
      }),
      403,
      'admin_only',
    );
    await write({ name: 'by a key' });
    expect(shown(await log())).toEqual(['writeThing 201', 'addMember 403']);
    expect((await log('?principalKind=key')).map(({ agentId }) => agentId)).toEqual([world.agentId]);
    expectFailure(await world.ask('GET', '/app/audit', { as: member }), 403, 'admin_only');
  });

  test('is of one workspace, and its hashes are found by nobody who knows the arguments', async () => {
    await write({ name: 'guessed' });
    const path = { agentId: world.agentId };
    const text = JSON.stringify({ body: { name: 'guessed' }, path, query: {} });
    const [entry] = await log();
    expect(entry?.argsHash).toMatch(/^[0-9a-f]{64}$/);
    expect(entry?.argsHash).not.toBe(createHash('sha256').update(text).digest('hex'));
    const other = await world.token(await world.makeWorkspace());
    expect(await log('', other)).toEqual([]);
  });

  test('an operation that keeps its own transactions and writes no entry fails', async () => {
    const answer = await world.ask('POST', '/app/things/forgotten', { as: token });
    expectFailure(answer, 500, 'internal_error');
  });
});

describe('the list', () => {
  test('is paged newest first, and filtered by who acted', async () => {
    for (const name of ['a', 'b', 'c']) await write({ name });
    await world.ask('POST', `/app/agents/${world.agentId}/things/publish`, { as: token });
    const first = await world.get(`/v1/agents/${world.agentId}/audit?limit=3`);
    expect([first.body.data.length, first.body.hasMore]).toEqual([3, true]);
    const rest = await world.get(`/v1/agents/${world.agentId}/audit?limit=3&cursor=${first.body.nextCursor}`);
    expect([rest.body.data.length, rest.body.hasMore, rest.body.nextCursor]).toEqual([1, false, null]);
    const ids = [...first.body.data, ...rest.body.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect((await entries('?principalKind=person')).map(({ operation }) => operation)).toEqual(['publishThing']);
    expect(await entries('?principalKind=key')).toHaveLength(3);
    expect(await entries('?principalKind=copilot')).toEqual([]);
    const foreign = await world.get(
      `/v1/agents/${world.agentId}/audit?principalKind=key&cursor=${first.body.nextCursor}`,
    );
    expectFailure(foreign, 400, 'invalid_cursor', 'cursor');
    expectFailure(
      await world.get(`/v1/agents/${world.agentId}/audit?principalKind=robot`),
      400,
      'invalid_parameter',
      'principalKind',
    );
  });

  test('shows a workspace its own entries on the shared demo agent, and no others', async () => {
    const demo = await world.makeAgent({ readOnly: true });
    const foreign = await world.makeWorkspace();
    const foreignKey = await world.makeKey({ workspaceId: foreign.workspaceId, access: 'write' });
    const ask = (as: string) => world.ask('POST', `/v1/agents/${demo}/things`, { as, body: { name: 'x' } });
    expectFailure(await ask(world.writeKey), 403, 'demo_read_only');
    expectFailure(await ask(foreignKey), 403, 'demo_read_only');
    const ours = await entries('', world.readKey, demo);
    const theirs = await entries('', foreignKey, demo);
    expect([ours.length, theirs.length]).toEqual([1, 1]);
    expect(ours[0]?.id).not.toBe(theirs[0]?.id);
  });
});
