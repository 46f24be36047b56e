import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error.ts';
import { revokeSession } from '../../src/db/system/sessions.ts';
import { hasRole } from '../../src/domain/access/roles.ts';
import { ROLES, type Role } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { issueToken, openSession } from '../../src/operations/access/sessions.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { checkTable, OPERATIONS } from '../../src/operations/table.ts';
import { makeOneOfEach } from '../support/one-of-each.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
/** What stands for the parameters of a path: of the world's own agent, of another workspace's, and of the demo's. */
let own: Names;
let foreign: Names;
let demo: Names;
let other: { workspaceId: string; personId: string };

beforeAll(async () => {
  world = await createWorld();
  other = await world.makeWorkspace();
  own = await makeNames(await world.makeAgent({ provider: 'file' }));
  foreign = await makeNames(await world.makeAgent({ workspaceId: other.workspaceId, provider: 'file' }));
  const { connectionId, tokenId, webhookId, deliveryId, channelId, messageId, personaId, personId, keyId } = own;
  const ofWorkspace = {
    connectionId,
    tokenId,
    webhookId,
    deliveryId,
    channelId,
    messageId,
    personaId,
    personId,
    keyId,
  };
  demo = { ...(await makeNames(await world.makeAgent({ readOnly: true }))), ...ofWorkspace };
});
afterAll(() => world.close());

test('what makes a test or a run answers 201, a rescore 202, and everything else 200', () => {
  const others = OPERATIONS.filter(({ status }) => status !== 200).map(({ id, status }) => [id, status]);
  expect(Object.fromEntries(others)).toEqual({ createTest: 201, startRun: 201, calibrateTests: 201, rescoreRun: 202 });
});

type Names = Awaited<ReturnType<typeof makeNames>>;
const makeNames = (agentId: string) => makeOneOfEach(world, agentId);

function addressOf({ path }: Operation, names: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = names[name];
    if (id === undefined) throw new Error(`Nothing was made for {${name}} of ${path}.`);
    return id;
  });
}

/** Refused by name, or let in. */
type Fate = ErrorCode | 'in';

/**
 * Asks with a query parameter that no operation has: who is let in gets no further than to be told so, and no
 * operation of the whole matrix does anything.
 */
async function fateOf(operation: Operation, credential: string | undefined, names: Names): Promise<Fate> {
  const asked = credential ? { as: credential } : {};
  const answer = await world.ask(operation.method, `${addressOf(operation, names)}?nonsense=1`, asked);
  const { code, param } = answer.body.error;
  return code === 'invalid_parameter' && param === 'nonsense' ? 'in' : code;
}

interface Kind {
  /** Made anew for each request, where it would not last for the whole walk. */
  credential(): Promise<string | undefined> | string | undefined;
  names?: () => Names;
  fate(operation: Operation): Fate;
}

/** A conversation is its person's own, the admin's here. */
const isOfAConversation = ({ pathParams }: Operation) =>
  pathParams.includes('conversationId') || pathParams.includes('cardId');
const ofAgent = (operation: Operation) => operation.pathParams.includes('agentId');
const refusedWith = (code: ErrorCode) => (): Fate => code;

function fateOfKey(access: 'read' | 'write', reachesAgent = true) {
  return (operation: Operation): Fate => {
    if (!reachesAgent && ofAgent(operation)) return 'agent_not_found';
    if (operation.scope === 'person') return 'people_only';
    return operation.scope === 'write' && access === 'read' ? 'key_read_only' : 'in';
  };
}

function fateOfPerson(role: Role, reachesAgent = true, runsInstallation = role === 'admin') {
  return (operation: Operation): Fate => {
    if (!reachesAgent && ofAgent(operation)) return 'agent_not_found';
    if (operation.operatorOnly) return runsInstallation ? 'in' : 'admin_only';
    if (!hasRole(role, operation.role)) return operation.role === 'admin' ? 'admin_only' : 'role_required';
    if (role !== 'admin' && isOfAConversation(operation)) return operation.parents[0]?.notFound ?? 'in';
    return reachesAgent ? 'in' : (operation.parents[0]?.notFound ?? 'in');
  };
}

async function revokedKey(): Promise<string> {
  const as = await world.token();
  const made = await world.ask('POST', '/app/keys', { as, body: { name: 'revoked', access: 'write' } });
  await world.ask('DELETE', `/app/keys/${made.body.id}`, { as });
  return made.body.key;
}

async function agedToken(ageMs: number): Promise<string> {
  const who = { workspaceId: world.workspaceId, personId: world.personId };
  const session = await openSession(world.database.em(), world.services, { ...who, rotates: true });
  const then = { ...world.services, now: () => new Date(world.services.now().getTime() - ageMs) };
  return (await issueToken(then, { ...who, id: session.sessionId })).token;
}

async function signedOutToken(): Promise<string> {
  const who = { workspaceId: world.workspaceId, personId: world.personId };
  const session = await openSession(world.database.em(), world.services, { ...who, rotates: true });
  await revokeSession(world.database.em(), session.sessionId);
  return (await issueToken(world.services, { ...who, id: session.sessionId })).token;
}

async function removedPersonToken(): Promise<string> {
  const member = await world.makeMember('admin');
  const as = await world.token(member);
  await world.ask('DELETE', `/app/members/${member.personId}`, { as: await world.token() });
  return as;
}

const MATRIX: Record<string, Kind> = {
  'no credential': { credential: () => undefined, fate: refusedWith('missing_authorization') },
  'a malformed token': { credential: () => 'abc', fate: refusedWith('invalid_token') },
  'a malformed key': { credential: () => 'svc_abc', fate: refusedWith('invalid_api_key') },
  'an unknown key': { credential: () => `svc_${'a'.repeat(32)}`, fate: refusedWith('invalid_api_key') },
  'a revoked key': { credential: once(revokedKey), fate: refusedWith('invalid_api_key') },
  'an expired session token': { credential: once(() => agedToken(70_000)), fate: refusedWith('invalid_token') },
  'the token of a session that ended': { credential: once(signedOutToken), fate: refusedWith('invalid_token') },
  'the token of a removed person': { credential: once(removedPersonToken), fate: refusedWith('invalid_token') },
  'a read key': { credential: () => world.readKey, fate: fateOfKey('read') },
  'a write key': { credential: () => world.writeKey, fate: fateOfKey('write') },
  'a key of another agent': {
    credential: once(() => world.makeKey({ access: 'write', agentId: world.agentId })),
    fate: fateOfKey('write', false),
  },
  'a read key of another workspace': {
    credential: once(() => world.makeKey({ workspaceId: other.workspaceId })),
    fate: fateOfKey('read', false),
  },
  'a write key of another workspace': {
    credential: once(() => world.makeKey({ workspaceId: other.workspaceId, access: 'write' })),
    fate: fateOfKey('write', false),
  },
  ...Object.fromEntries(
    ROLES.map((role): [string, Kind] => [
      `a person who is ${role}`,
      {
        credential: async () => world.token(role === 'admin' ? undefined : await world.makeMember(role)),
        fate: fateOfPerson(role),
      },
    ]),
  ),
  'an admin of another workspace': {
    credential: () => world.token(other),
    fate: fateOfPerson('admin', false, false),
  },
  'a read key at a foreign agent': {
    credential: () => world.readKey,
    names: () => foreign,
    fate: fateOfKey('read', false),
  },
  'an admin at a foreign agent': {
    credential: () => world.token(),
    names: () => foreign,
    fate: fateOfPerson('admin', false),
  },
  'an admin at a shared demo agent': {
    credential: () => world.token(),
    names: () => demo,
    fate: (operation) => {
      if (operation.id === 'getWorkspaceErasure') return 'erasure_not_found';
      if (operation.pathParams.includes('workspaceId')) return 'workspace_not_found';
      return closedOnDemo(operation) ? 'demo_read_only' : 'in';
    },
  },
  'a member at a shared demo agent': {
    credential: async () => world.token(await world.makeMember('member')),
    names: () => demo,
    fate: (operation) => {
      const fate = fateOfPerson('member')(operation);
      return fate !== 'admin_only' && fate !== 'role_required' && closedOnDemo(operation) ? 'demo_read_only' : fate;
    },
  },
  'a write key at a shared demo agent': {
    credential: () => world.writeKey,
    names: () => demo,
    fate: (operation) => {
      const fate = fateOfKey('write')(operation);
      return fate === 'in' && closedOnDemo(operation) ? 'demo_read_only' : fate;
    },
  },
};

const closedOnDemo = (operation: Operation) => ofAgent(operation) && operation.changes && operation.scope !== 'read';

function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

describe(`every one of ${OPERATIONS.length} operations, asked by`, () => {
  test.each(Object.keys(MATRIX))('%s, answers as its definition says', async (name) => {
    const { credential, names = () => own, fate } = MATRIX[name] as Kind;
    const seen: [string, Fate][] = [];
    for (const operation of OPERATIONS) {
      seen.push([operation.id, await fateOf(operation, await credential(), names())]);
    }
    const expected = OPERATIONS.map((each) => [each.id, each.scope === 'public' ? 'in' : fate(each)]);
    expect(seen).toEqual(expected);
  });
});

describe('what cannot be reached', () => {
  test('a child of another agent or workspace is answered like one that does not exist, but for the request id', async () => {
    const withChildren = OPERATIONS.filter(
      ({ scope, operatorOnly, parents }) =>
        scope !== 'public' && !operatorOnly && parents.some(({ format }) => format === 'uuid'),
    );
    expect(withChildren.length).toBeGreaterThan(20);
    const absent = Object.fromEntries(Object.keys(own).map((name) => [name, newId()]));
    for (const operation of withChildren) {
      const ask = async (children: Record<string, string>) => {
        const url = addressOf(operation, { ...children, agentId: own.agentId });
        const answer = await world.ask(operation.method, url, { as: await world.token() });
        const { requestId: _, ...error } = answer.body.error;
        return { status: answer.status, error, headers: Object.keys(answer.headers).sort() };
      };
      const [theirs, none] = [await ask(foreign), await ask(absent)];
      expect(theirs).toEqual(none);
      expect([operation.id, theirs.status]).toEqual([operation.id, 404]);
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

  test('lets viewers change what is their own alone, and approvers decide about money', () => {
    const taking = (role: Role) =>
      OPERATIONS.filter((one) => one.changes && ['write', 'person'].includes(one.scope) && one.role === role).map(
        ({ id }) => id,
      );
    expect(taking('viewer').toSorted()).toEqual([
      'changePassword',
      'createWorkspace',
      'forgetView',
      'saveView',
      'setNotifications',
      'testNotifications',
    ]);
    expect(taking('approver')).toEqual(['approveRun']);
    expect(OPERATIONS.filter(({ scope, role }) => scope === 'read' && role !== 'viewer')).toEqual([]);
  });

  test('opens only reads and ten writes to keys', () => {
    const writes = [
      'createTest',
      'replaceTestSpec',
      'startRun',
      'makePack',
      'rescoreRun',
      'putCustomMetric',
      'putAlarm',
      'acknowledgeAlarm',
      'silenceAlarm',
      'setCallTags',
    ];
    for (const { id, surface, scope, changes } of OPERATIONS) {
      if (surface === 'app') expect(['person', 'public']).toContain(scope);
      else if (writes.includes(id)) expect([id, scope]).toEqual([id, 'write']);
      else if (['calibrateTests', 'labelWatchSample', 'approveGoalPlan', 'changeDraft'].includes(id))
        expect(scope).toBe('person');
      // Validating and trying are POSTs for their bodies alone: they store nothing.
      else
        expect([id, scope, changes]).toEqual([
          id,
          'read',
          ['validateTestSpec', 'tryCustomMetric', 'previewAlarm'].includes(id),
        ]);
    }
  });
});
