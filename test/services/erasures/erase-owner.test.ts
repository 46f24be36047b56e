import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findErasureOf, moveErasure } from '../../../src/db/erasures/erasures.ts';
import { newId } from '../../../src/ids.ts';
import { agentsOf, beginErasure, eraseOwner, resumeErasures } from '../../../src/services/erasures/erase-owner.ts';
import { seedCalls } from '../../support/seed.ts';
import { createWorld, type Loose, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world?.close());

const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(world.database.em().getKysely())).rows;
const count = async (table: string, agentId: string) =>
  (await rows(sql`select count(*)::int as many from ${sql.table(table)} where agent_id = ${agentId}`))[0].many;
const within = (workspaceId = world.workspaceId) => world.database.within(workspaceId);
const begin = (agentId: string | null, workspaceId = world.workspaceId) =>
  within(workspaceId).transactional((tx) => beginErasure(tx, { workspaceId, agentId, requestedBy: world.personId }));
const orders = async (erasureId: string) =>
  (await rows(sql`select workflow_id as id from outbox_entries where workflow_id like ${`%${erasureId}%`}`)).length;

async function agentWithCalls(workspaceId = world.workspaceId): Promise<string> {
  const agentId = await world.makeAgent({ workspaceId });
  await seedCalls(world, agentId, [{ call: { providerCallId: `of ${agentId}` }, analysis: {} }]);
  await rows(sql`update agents set call_count = 1 where id = ${agentId}`);
  return agentId;
}

describe('an agent that is deleted', () => {
  test('is out of reach at once, with what reaches it alone, and its erasure is ordered', async () => {
    const [agentId, other] = [await agentWithCalls(), await agentWithCalls()];
    const [own, everywhere] = [await world.makeKey({ agentId }), await world.makeKey()];
    const { id, total } = await begin(agentId);
    expect(total).toBe(1);
    expect((await world.get('/v1/me', own)).status).toBe(401);
    expect((await world.get('/v1/me', everywhere)).status).toBe(200);
    expect((await world.get(`/v1/agents/${agentId}`, everywhere)).status).toBe(404);
    expect((await world.get(`/v1/agents/${other}`, everywhere)).status).toBe(200);
    expect(await orders(id)).toBe(1);
    expect(await count('calls', agentId)).toBe(1);
  });

  test('is taken whole, and the agents beside it stay', async () => {
    const [agentId, other] = [await agentWithCalls(), await agentWithCalls()];
    const { id } = await begin(agentId);
    await rows(sql`
      insert into budget_reservations (run_id, workspace_id, agent_id, month, held_nano_usd, spent_nano_usd)
      values (${newId()}, ${world.workspaceId}, ${agentId}, date_trunc('month', now()), 9, 4)`);
    await eraseOwner(within(), { workspaceId: world.workspaceId, agentId, erasureId: id });
    // What a key spent of its budget stays spent, and nothing is held back any more.
    expect(
      await rows(sql`select spent_nano_usd::int as spent, settled_at is null as open from budget_reservations
        where agent_id = ${agentId}`),
    ).toEqual([{ spent: 4, open: false }]);
    for (const table of ['calls', 'call_signals', 'raw_payloads', 'metric_counts']) {
      expect([table, await count(table, agentId)]).toEqual([table, 0]);
    }
    expect(await rows(sql`select id from agents where id = ${agentId}`)).toEqual([]);
    expect(await count('calls', other)).toBe(1);
  });

  test('is taken once: doing it again takes nothing more', async () => {
    const agentId = await agentWithCalls();
    const { id } = await begin(agentId);
    const owner = { workspaceId: world.workspaceId, agentId, erasureId: id };
    const first = await eraseOwner(within(), owner);
    expect(first.total).toBe(1);
    expect(await eraseOwner(within(), owner)).toEqual(first);
  });
});

describe('a workspace that is deleted', () => {
  test('lets nobody in any more, and takes every agent of it, but no other workspace', async () => {
    const gone = await world.makeWorkspace();
    const [agentId, other] = [await agentWithCalls(gone.workspaceId), await agentWithCalls()];
    const key = await world.makeKey({ workspaceId: gone.workspaceId });
    const { id } = await begin(null, gone.workspaceId);
    expect((await world.get('/v1/me', key)).status).toBe(401);
    const owner = { workspaceId: gone.workspaceId, agentId: null, erasureId: id };
    expect(await agentsOf(within(gone.workspaceId), owner)).toEqual([agentId]);
    await eraseOwner(within(gone.workspaceId), owner);
    expect(await rows(sql`select id from workspaces where id = ${gone.workspaceId}`)).toEqual([]);
    expect(await rows(sql`select id from people where id = ${gone.personId}`)).toEqual([]);
    expect(await count('calls', other)).toBe(1);
  });

  test('keeps a person who belongs to another one too', async () => {
    const gone = await world.makeWorkspace();
    await rows(sql`
      insert into memberships (workspace_id, person_id, role) values (${world.workspaceId}, ${gone.personId}, 'member')`);
    await begin(null, gone.workspaceId);
    expect(await rows(sql`select id from people where id = ${gone.personId}`)).toHaveLength(1);
  });
});

describe('an erasure of which nothing is heard', () => {
  const quiet = (id: string) => rows(sql`update erasures set updated_at = now() - interval '1 day' where id = ${id}`);
  const standing = async (id: string) => (await findErasureOf(within(), world.workspaceId, id))?.status;

  test('goes on, also one that failed: whoever is out of reach can not be asked for again', async () => {
    const { id } = await begin(await agentWithCalls());
    await moveErasure(within(), id, ['queued'], 'failed', 'No worker.');
    await quiet(id);
    const before = await orders(id);
    await resumeErasures(within(), world.workspaceId);
    expect(await standing(id)).toBe('queued');
    expect(await orders(id)).toBe(before + 1);
  });

  test.each([
    ['that was heard of lately is left alone', 'running', false, 'running'],
    ['that is complete is left alone', 'complete', true, 'complete'],
  ] as const)('one %s', async (_, status, isQuiet, expected) => {
    const { id } = await begin(await agentWithCalls());
    await moveErasure(within(), id, ['queued'], status, null);
    if (isQuiet) await quiet(id);
    const before = await orders(id);
    await resumeErasures(within(), world.workspaceId);
    expect(await standing(id)).toBe(expected);
    expect(await orders(id)).toBe(before);
  });
});
