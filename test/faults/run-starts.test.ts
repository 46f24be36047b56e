import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { captureVersion, makeTests, type OwnedAgent, rowsOf } from '../support/runs.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

const STARTS = 50;

let world: World;
let apis: ApiProcess[];
let agent: OwnedAgent;
/** One a start: the writes of a single key are limited. */
let keys: string[];
beforeAll(async () => {
  world = await createWorld({ limited: true });
  apis = await Promise.all([startApi(world.database.url), startApi(world.database.url)]);
  keys = await Promise.all(Array.from({ length: STARTS }, () => world.makeKey({ access: 'write' })));
  agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent() };
  await captureVersion(world.database, agent);
  await makeTests(world.database, agent, 1);
});
afterAll(async () => {
  await Promise.all((apis ?? []).map((api) => api.stop()));
  await world?.close();
});

async function start(at: number, key: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${apis[at % apis.length]?.url ?? ''}/v1/agents/${agent.agentId}/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ all: true }),
  });
  const body = (await answer.json()) as Loose;
  return { status: answer.status, id: body.id as string | undefined, code: body.error?.code as string | undefined };
}

const allow = (testCalls: number) =>
  sql`update workspaces set allowances = ${JSON.stringify({ testCalls })}::jsonb where id = ${world.workspaceId}`.execute(
    world.database.em().getKysely(),
  );

describe('two API processes on one database', () => {
  test("of fifty starts for the plan's last ten test calls exactly ten are let in", async () => {
    await allow(10);
    const answers = await Promise.all(keys.map((key, at) => start(at, key)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ code }) => code === 'quota_exceeded')).toHaveLength(40);
    const [row] = await rowsOf<Loose>(
      world.database,
      sql`select (select count(*)::int from runs) as runs, (select max(test_calls) from plan_usage) as used,
        (select count(*)::int from outbox_entries where workflow = 'runTests') as orders`,
    );
    expect(row).toEqual({ runs: 10, used: 10, orders: 10 });
  });

  test('one request that reaches both, with one Idempotency-Key, starts one run', async () => {
    await allow(100);
    const headers = { 'idempotency-key': newId() };
    const key = await world.makeKey({ access: 'write' });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => start(at, key, headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  });

  test('a key that is revoked while it starts runs starts none after the revocation was answered', async () => {
    const key = await world.makeKey({ access: 'write' });
    const started: { beganMs: number; status: number }[] = [];
    let revokedMs = Number.POSITIVE_INFINITY;
    const asking = Promise.all(
      [0, 1].map(async (at) => {
        for (let times = 0; times < 9; times += 1) {
          const beganMs = performance.now();
          started.push({ beganMs, status: (await start(at, key)).status });
        }
      }),
    );
    await sql`update api_keys set revoked_at = now() where prefix = ${key.slice(0, 10)}`.execute(
      world.database.em().getKysely(),
    );
    revokedMs = performance.now();
    await asking;
    const after = started.filter(({ beganMs }) => beganMs > revokedMs);
    expect(after.length).toBeGreaterThan(0);
    expect(after.every(({ status }) => status === 401)).toBe(true);
  });
});
