import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionKeyPlace } from '../../src/db/secrets/sealed-places.ts';
import type { ReadyTest } from '../../src/domain/tests/ready-test.ts';
import { ensureDemoAgents } from '../../src/operations/setup/demo-agents.ts';
import { countLeft } from '../../src/services/secrets/seal-anew.ts';
import { makeSpec } from '../support/specs.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('everybody reads the shared demo agents, and each workspace has its own copy of the first', async () => {
  const ensure = (demoUrl: string) =>
    ensureDemoAgents({
      database: world.database,
      vault: world.services.vault,
      demoUrl,
      demoAgents: [
        { providerAgentId: 'agent_a', name: 'Clinic' },
        { providerAgentId: 'agent_b', name: 'Parcels' },
      ],
      polling: { polls: true, pollSeconds: 60 },
    });
  const [first] = await Promise.all([ensure('http://127.0.0.1:1'), ensure('http://127.0.0.1:1')]);
  const again = await ensure('http://127.0.0.1:2');
  expect(again.agents.map((agent) => agent.agentId)).toEqual(first.agents.map((agent) => agent.agentId));
  expect(again.agents.map((agent) => agent.importId)).toEqual([null, null, null]);

  const { body } = await world.get('/v1/agents');
  const demo = body.data.filter((agent: { source: string }) => agent.source === 'demo');
  const readOnly = Object.fromEntries(
    demo.map((agent: { name: string; readOnly: boolean }) => [agent.name, agent.readOnly]),
  );
  expect(readOnly).toEqual({ Clinic: true, 'Clinic (copy)': false, Parcels: true });

  const { rows } = await sql<{ imports: number; orders: number; addresses: string[] }>`
    select (select count(*)::int from imports where call_limit = 1000 and kind = 'first') as imports,
      (select count(*)::int from outbox_entries where action = 'importRequested') as orders,
      (select array_agg(distinct base_url) from platform_connections) as addresses
  `.execute(world.database.em().getKysely());
  expect(rows[0]).toEqual({ imports: 3, orders: 3, addresses: ['http://127.0.0.1:2'] });

  const { rows: keys } = await sql<{ id: string; workspaceId: string; key: string; mine: boolean }>`
    select id, workspace_id as "workspaceId", sealed_key as key, workspace_id = ${world.workspaceId} as mine from platform_connections order by mine`.execute(
    world.database.em().getKysely(),
  );
  const opened = keys.map(({ id, workspaceId, key }) =>
    world.services.vault.open(key, connectionKeyPlace(workspaceId, id)),
  );
  expect(opened).toEqual(['demo', `demo-${world.workspaceId}`]);
  expect(await countLeft(world.database, world.services.vault)).toBe(0);

  // What a model would cost is spent by nobody who did not ask for it.
  const { rows: modes } = await sql<{
    mode: string;
  }>`select distinct model_reading as mode from agents where provider = 'demo'`.execute(
    world.database.em().getKysely(),
  );
  expect(modes).toEqual([{ mode: 'off' }]);
});

test('a copy comes with the tests of the shared agent, and an agent that has tests is given none', async () => {
  const ready = (title: string): ReadyTest => ({ title, lane: 'flow', expect: 'pass', guard: true, spec: makeSpec() });
  const ensure = (tests: readonly ReadyTest[]) =>
    ensureDemoAgents({
      database: world.database,
      vault: world.services.vault,
      demoUrl: 'http://127.0.0.1:2',
      demoAgents: [
        { providerAgentId: 'agent_a', name: 'Clinic', tests },
        { providerAgentId: 'agent_b', name: 'Parcels', tests },
      ],
      polling: { polls: true, pollSeconds: 60 },
    });
  const { agents } = await ensure([ready('Books'), ready('Cancels')]);
  await ensure([ready('Something else')]);
  const titles = async (agentId: string, as?: string) =>
    (await world.get(`/v1/agents/${agentId}/tests`, as)).body.data.map(({ title }: Loose) => title);
  for (const { agentId } of agents) expect(await titles(agentId)).toEqual(['Cancels', 'Books']);

  const token = await world.token();
  const copied = await world.ask('POST', '/app/agents/copy-demo', { as: token, body: { agentId: agents[1]?.agentId } });
  expect(copied.body).toMatchObject({ readOnly: false, counts: { tests: 2 } });
  const { data } = (await world.get(`/v1/agents/${copied.body.id}/tests`)).body;
  expect(data[1]).toMatchObject({ title: 'Books', guard: true, spec: makeSpec(), createdBy: 'earshot', revision: 1 });

  const { body: workspace } = await world.ask('POST', '/app/workspaces', { as: token, body: { name: 'Another' } });
  const there = await world.token({ workspaceId: workspace.id, personId: world.personId });
  const own = (await world.get('/v1/agents', there)).body.data.filter((agent: Loose) => !agent.readOnly);
  expect(own).toHaveLength(1);
  expect(await titles(own[0].id, there)).toEqual(['Cancels', 'Books']);
});
