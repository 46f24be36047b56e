import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { checkTable, OPERATIONS } from '../../src/operations/table.ts';
import { makeIssue } from '../support/issues.ts';
import { seedCalls } from '../support/seed.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
const ids: Record<string, string> = {};
const foreign: Record<string, string> = {};

beforeAll(async () => {
  world = await createWorld();
  for (const [names, workspaceId] of [
    [ids, world.workspaceId],
    [foreign, (await world.makeWorkspace()).workspaceId],
  ] as const) {
    const agentId = await world.makeAgent({ workspaceId, provider: 'file' });
    const [callId] = await seedCalls(world, agentId, [{ call: { providerCallId: 'a' }, analysis: {} }]);
    const { id: issueId } = await makeIssue(world, agentId);
    Object.assign(names, { agentId, callId, issueId, importId: newId(), keyId: newId(), secret: 'x'.repeat(32) });
  }
});
afterAll(() => world.close());

const urlOf = (operation: Operation, names: Record<string, string>) =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'missing');

type Ask = (operation: Operation) => Promise<{ status: number; code: string | undefined }>;
const as =
  (credential: () => Promise<string | undefined> | string | undefined, names = ids): Ask =>
  async (operation) => {
    const key = await credential();
    const answer = await world.ask(operation.method, urlOf(operation, names), key === undefined ? {} : { as: key });
    return { status: answer.status, code: answer.body?.error?.code };
  };

/** What an operation may answer when it lets someone in: anything but a refusal of access. */
const letIn = (answer: { status: number; code: string | undefined }) =>
  ![401, 403].includes(answer.status) && answer.code !== 'agent_not_found';

const guarded = OPERATIONS.filter((operation) => operation.scope !== 'public');
const withAgent = guarded.filter((operation) => operation.pathParams.includes('agentId'));

describe('every operation that is not public', () => {
  test.each([
    ['nobody', undefined, 'missing_authorization'],
    ['a malformed token', 'abc', 'invalid_token'],
    ['an unknown key', 'svc_abcdefghijklmnopqrstuvwxyz012345', 'invalid_api_key'],
  ])('refuses %s', async (_name, credential, code) => {
    for (const operation of guarded) {
      expect({ id: operation.id, ...(await as(() => credential)(operation)) }).toEqual({
        id: operation.id,
        status: 401,
        code,
      });
    }
  });

  test('lets keys do what its scope says', async () => {
    for (const operation of guarded) {
      for (const access of ['read', 'write'] as const) {
        const answer = await as(() => (access === 'read' ? world.readKey : world.writeKey))(operation);
        const expected =
          operation.scope === 'person'
            ? 'people_only'
            : operation.scope === 'write' && access === 'read'
              ? 'key_read_only'
              : undefined;
        if (expected)
          expect({ id: operation.id, ...answer }).toEqual({ id: operation.id, status: 403, code: expected });
        else expect({ id: operation.id, access, in: letIn(answer) }).toEqual({ id: operation.id, access, in: true });
      }
    }
  });

  test('lets members and admins do what their role says', async () => {
    const member = await world.makeMember('member');
    for (const operation of guarded) {
      const asMember = await as(() => world.token(member))(operation);
      if (operation.adminOnly) expect(asMember).toEqual({ status: 403, code: 'admin_only' });
      else expect({ id: operation.id, in: letIn(asMember) }).toEqual({ id: operation.id, in: true });
      expect({ id: operation.id, in: letIn(await as(() => world.token())(operation)) }).toEqual({
        id: operation.id,
        in: true,
      });
    }
  });
});

describe('every operation of an agent', () => {
  test('does not find the agent of another workspace, whoever of this one asks', async () => {
    for (const operation of withAgent) {
      for (const credential of [() => world.readKey, () => world.writeKey, () => world.token()]) {
        expect({ id: operation.id, ...(await as(credential, foreign)(operation)) }).toEqual({
          id: operation.id,
          status: 404,
          code: 'agent_not_found',
        });
      }
    }
  });

  test('does not find other agents with a key that is tied to one', async () => {
    const tied = await world.makeKey({ agentId: world.agentId });
    for (const operation of withAgent) {
      expect({ id: operation.id, ...(await as(() => tied)(operation)) }).toMatchObject({
        status: 404,
        code: 'agent_not_found',
      });
    }
  });

  test('does not find children of another agent', async () => {
    const mixed = { ...foreign, agentId: ids.agentId ?? '' };
    for (const operation of withAgent.filter((each) => each.parents.length > 0)) {
      const answer = await as(() => world.token(), mixed)(operation);
      expect({ id: operation.id, ...answer }).toEqual({
        id: operation.id,
        status: 404,
        code: operation.parents[0]?.notFound,
      });
    }
  });

  test('leaves the shared demo agent as it is', async () => {
    const system = await world.makeWorkspace();
    const agentId = await world.makeAgent({ workspaceId: system.workspaceId, readOnly: true });
    for (const operation of withAgent) {
      const answer = await as(() => world.token(), { ...ids, agentId })(operation);
      if (operation.changes)
        expect({ id: operation.id, ...answer }).toMatchObject({ status: 403, code: 'demo_read_only' });
      else expect({ id: operation.id, in: letIn(answer) }).toEqual({ id: operation.id, in: true });
    }
  });
});

describe('the table', () => {
  test('is sound, and a broken one is refused with the name of the operation', () => {
    expect(() => checkTable(OPERATIONS)).not.toThrow();
    const [first] = OPERATIONS;
    if (!first) throw new Error('the table is empty');
    expect(() => checkTable([first, first])).toThrow(first.id);
    expect(() => checkTable([first, { ...first, id: 'twin' }])).toThrow(first.path);
    expect(() => checkTable([{ ...first, surface: 'app' }])).toThrow(first.id);
    expect(() => checkTable([{ ...first, surface: 'app', path: '/app/me' }])).toThrow('open to keys');
    expect(() => checkTable([{ ...first, path: '/v1/{x}', pathParams: ['x'] }])).toThrow('loads');
  });

  test('opens only reads and, later, the four writes to keys', () => {
    for (const operation of OPERATIONS) {
      if (operation.surface === 'v1') expect([operation.scope, operation.changes]).toEqual(['read', false]);
      else expect(['person', 'public']).toContain(operation.scope);
    }
  });
});
