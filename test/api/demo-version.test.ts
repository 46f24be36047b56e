import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const publish = async (agentId: string, as?: string) =>
  world.ask('POST', `/app/agents/${agentId}/demo/next-version`, { as: as ?? (await world.token()) });

test('a person has another version of a copy ordered, once a request', async () => {
  const agentId = await world.makeAgent({ provider: 'demo' });
  const [first, second] = [await publish(agentId), await publish(agentId)];
  expect(first).toMatchObject({ status: 200, body: { object: 'demo_version_order', agentId } });
  expect(second.body.id).not.toBe(first.body.id);
  const { rows } = await sql<{ id: string }>`
    select workflow_id as id from outbox_entries where agent_id = ${agentId} and workflow = 'nextDemoVersion' order by 1`.execute(
    world.database.em().getKysely(),
  );
  expect(rows.map(({ id }) => id)).toEqual([first, second].map(({ body }) => `demo-version/${body.id}`).toSorted());
});

test('the shared demo agent, agents of platforms, agents of others and keys get none', async () => {
  const shared = await publish(await world.makeAgent({ readOnly: true }));
  expect(shared).toMatchObject({ status: 403, body: { error: { code: 'demo_read_only' } } });
  const file = await publish(await world.makeAgent({ provider: 'file' }));
  expect(file).toMatchObject({ status: 400, body: { error: { code: 'invalid_parameter', param: 'agentId' } } });
  expect(file.body.error.message).toContain('/app/agents/copy-demo');
  const { workspaceId } = await world.makeWorkspace();
  const others = await publish(await world.makeAgent({ provider: 'demo', workspaceId }));
  expect(others).toMatchObject({ status: 404, body: { error: { code: 'agent_not_found' } } });
  const own = await world.makeAgent({ provider: 'demo' });
  expect(await publish(own, world.writeKey)).toMatchObject({ status: 403, body: { error: { code: 'people_only' } } });
});
