import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockAgent } from '../../src/db/agents/lock-agent.ts';
import { newId } from '../../src/ids.ts';
import { eraseCalls } from '../../src/services/erasures/erase-calls.ts';
import { testKnowledge, testVault, turn } from '../support/analysed-calls.ts';
import { untilSomebodyWaitsFor } from '../support/blocked.ts';
import { seedCalls } from '../support/seed.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let callId: string;
let foreignCallId: string;
beforeAll(async () => {
  world = await createWorld();
  [callId = ''] = await seedCalls(world, world.agentId, [
    { call: { providerCallId: 'a', callerNumber: '+15550100' }, analysis: {} },
  ]);
  [foreignCallId = ''] = await seedCalls(world, await world.makeAgent(), [
    { call: { providerCallId: 'b' }, analysis: {} },
  ]);
});
afterAll(() => world.close());

const reason = 'The caller asked for it.';
const ask = async (body: unknown, agentId = world.agentId) =>
  world.ask('POST', `/app/agents/${agentId}/erasures`, { as: await world.token(), body });

test.each([
  ['no selector', { reason }, 'callIds'],
  ['both', { callIds: [newId()], callerNumber: '+15550100', reason }, 'callerNumber'],
  ['all three', { callIds: [newId()], callerNumber: '+1', callerKey: 'a'.repeat(24), reason }, 'callerNumber'],
  ['no reason', { callerNumber: '+15550100' }, 'reason'],
  ['an empty list', { callIds: [], reason }, 'callIds'],
  ['a call twice', { callIds: ['A', 'a'].map((x) => `${x}0000000-0000-4000-8000-000000000001`), reason }, 'callIds[1]'],
  ['a malformed id', { callIds: ['x'], reason }, 'callIds[0]'],
  ['too many calls', { callIds: Array.from({ length: 1001 }, () => newId()), reason }, 'callIds'],
  ['a malformed key', { callerKey: 'x', reason }, 'callerKey'],
  ['a withheld number', { callerNumber: 'anonymous', reason }, 'callerNumber'],
  ['an unknown field', { callerNumber: '+15550100', reason, all: true }, 'all'],
])('%s is refused, and nothing is begun', async (_, body, param) => {
  expectFailure(await ask(body), 400, 'invalid_parameter', param);
  const { rows } = await sql`select 1 from erasures union all select 1 from erased_callers`.execute(
    world.database.em().getKysely(),
  );
  expect(rows).toEqual([]);
});

test('a member can neither begin one nor read of them', async () => {
  const as = await world.token(await world.makeMember('member'));
  const path = `/app/agents/${world.agentId}/erasures`;
  const body = { callIds: [callId], reason };
  expectFailure(await world.ask('POST', path, { as, body }), 403, 'admin_only');
  expectFailure(await world.ask('GET', path, { as }), 403, 'admin_only');
  expectFailure(await world.ask('GET', `${path}/${newId()}`, { as }), 403, 'admin_only');
});

test("a call that is not there, or another agent's, is refused, and the others stay", async () => {
  const refused = await ask({ callIds: [callId, newId()], reason });
  expectFailure(refused, 404, 'call_not_found', 'callIds[1]');
  expectFailure(await ask({ callIds: [foreignCallId], reason }), 404, 'call_not_found', 'callIds[0]');
  const { rows } = await sql`select 1 from erased_calls`.execute(world.database.em().getKysely());
  expect(rows).toEqual([]);
});

test('a shared demo agent is refused', async () => {
  const demo = await world.makeAgent({ readOnly: true });
  expectFailure(await ask({ callerNumber: '+15550100', reason }, demo), 403, 'demo_read_only');
});

test('it stands in the record and the audit log, which says nothing of the number', async () => {
  const asked = await ask({ callerNumber: '+1 555 0100', reason });
  expect(asked.status).toBe(200);
  expect(asked.body).toMatchObject({ scope: 'caller', status: 'queued', total: 0, done: 0, removed: {}, reason });
  const other = await ask({ callerNumber: '+1 555 0101', reason });
  const { rows: keys } = await sql<{ key: string }>`select caller_key as key from calls where id = ${callId}`.execute(
    world.database.em().getKysely(),
  );
  expect((await ask({ callerKey: keys[0]?.key, reason })).body).toMatchObject({ scope: 'caller', total: 1 });
  const { rows } = await sql<{ operation: string; hash: string; targets: string[] }>`
    select operation, args_hash as hash, target_ids as targets from audit_entries where status = 200 order by id
  `.execute(world.database.em().getKysely());
  expect(rows.map(({ operation }) => operation)).toEqual(['createErasure', 'createErasure', 'createErasure']);
  expect(rows[0]?.targets).toEqual([asked.body.id]);
  expect(rows[0]?.hash).toBe(rows[1]?.hash);
  const listed = await world.ask('GET', `/app/agents/${world.agentId}/erasures?limit=2`, { as: await world.token() });
  expect(listed.body).toMatchObject({ hasMore: true, data: [{ total: 1 }, { id: other.body.id, total: 0 }] });
  const url = `/app/agents/${world.agentId}/erasures?limit=2&cursor=${listed.body.nextCursor}`;
  const next = await world.ask('GET', url, { as: await world.token() });
  expect(next.body).toMatchObject({ hasMore: false, data: [{ id: asked.body.id }] });
});

test('a call that is erased while a test is made from it makes none', async () => {
  const agentId = await world.makeAgent();
  const turns = [turn(0, 'agent', 'Hello?'), turn(1, 'caller', 'I am Ada Brook, a table on Friday.')];
  const [sourceCallId = ''] = await seedCalls(world, agentId, [{ call: { providerCallId: 'c', turns }, analysis: {} }]);
  const owner = { workspaceId: world.workspaceId, agentId };
  const knows = { vault: testVault, catalogue: testKnowledge.catalogue };
  let made: ReturnType<World['ask']> | undefined;
  await world.database.within(world.workspaceId).transactional(async (tx) => {
    await lockAgent(tx, agentId);
    made = world.ask('POST', `/v1/agents/${agentId}/tests`, { as: world.writeKey, body: { sourceCallId } });
    await untilSomebodyWaitsFor(world.database, tx);
    await eraseCalls(tx, knows, owner, [sourceCallId]);
  });
  expect((await made)?.body.error).toMatchObject({ code: 'call_not_found', param: 'sourceCallId' });
});
