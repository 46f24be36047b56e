import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minute, seedCalls } from '../../support/seed.ts';
import { makeWatch } from '../../support/watches.ts';
import { createWorld, expectFailure, type Loose, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('of two people who label one sample at once, one stands, whole', async () => {
  const owner = { workspaceId: world.workspaceId, agentId: await world.makeAgent() };
  const [callId = ''] = await seedCalls(world, owner.agentId, [
    { call: { providerCallId: 'a', startedAt: minute(0) }, analysis: {} },
  ]);
  const watchId = await makeWatch(world, owner, callId);
  const other = await world.makeMember('member');
  const tokens = [await world.token(), await world.token(other)];
  const path = `/v1/agents/${owner.agentId}/watches/${watchId}/labels`;
  const label = (as: string | undefined, word: string) =>
    world.ask('POST', path, { ...(as ? { as } : {}), body: { callId, label: word } });
  const both = await Promise.all([label(tokens[0], 'right'), label(tokens[1], 'wrong')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const { body } = await world.get(`/v1/agents/${owner.agentId}/watches/${watchId}`);
  expect(body.labels.labelled).toBe(1);
  const { rows } = await sql<Loose>`
    select label, labelled_by from watch_samples where watch_id = ${watchId}`.execute(world.database.em().getKysely());
  expect([
    [{ label: 'right', labelled_by: world.personId }],
    [{ label: 'wrong', labelled_by: other.personId }],
  ]).toContainEqual(rows);
  expectFailure(await label(world.writeKey, 'right'), 403, 'people_only');
});
