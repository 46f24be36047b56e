import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageRequest } from '../../activities/import-calls/page.ts';
import { reserveRequests } from '../../src/db/connections/request-budget.ts';
import { createImport } from '../../src/db/imports/imports.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import type { Asking } from '../../src/temporal/import-calls.ts';
import { type StoredAgent, storeAgent } from '../support/pipeline.ts';
import { retellCall } from '../support/stand-in-platform.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

const LIMITED = { status: 429, headers: { 'retry-after': '600' } };

describe('what a platform told one request of an account', () => {
  let world: ActivityWorld;
  let neighbour: StoredAgent;

  beforeEach(async () => {
    world = await openActivityWorld();
    const [row] = await world.rows(sql<{ id: string }>`select id from platform_connections`);
    const { database, deps, platform, agent } = world;
    const asked = { provider: 'retell', baseUrl: platform.url, providerAgentId: 'agent_beside' } as const;
    neighbour = await storeAgent(database.em(), deps.vault, asked, agent.workspaceId, row?.id);
    platform.calls.set('call_1', retellCall('call_1'));
  });
  afterEach(() => world.close());

  const page = async (agent: StoredAgent, asking: Asking = {}) => {
    const made = { ...agent, kind: 'manual', limit: null, from: null } as const;
    const { importId } = await createImport(world.database.em(), made);
    const plan = { kind: 'manual', source: 'platform', from: null, to: null } as const;
    const request: PageRequest = { ...agent, importId, plan, cursor: null, take: null, partial: null, asking };
    return world.run('storeCallPage', request);
  };
  const waitOf = async (asked: Promise<unknown>): Promise<number> => {
    const error = await asked.then(
      () => null,
      (failure: { type: string; details: { retryAfterMs: number; rateLimited: boolean }[] }) => failure,
    );
    expect(error).toMatchObject({ type: FAILURE_TYPES.platformWaits, details: [{ rateLimited: true }] });
    return error?.details[0]?.retryAfterMs ?? 0;
  };
  const asked = () => world.platform.log.length;
  const passAll = () =>
    sql`update platform_connections set limited_until = now() - interval '1 ms', live_limited_until = now() - interval '1 ms'`;

  test('holds the agents beside it off until then, without a request', async () => {
    world.platform.next.push(LIMITED);
    expect(await waitOf(page(world.agent))).toBe(600_000);
    const before = asked();
    const leftMs = await waitOf(page(neighbour));
    expect(leftMs).toBeGreaterThan(590_000);
    expect(leftMs).toBeLessThanOrEqual(600_000);
    expect(await waitOf(page(neighbour, { lane: 'live' }))).toBeGreaterThan(590_000);
    expect(await waitOf(world.run('captureVersions', neighbour))).toBeGreaterThan(590_000);
    expect(asked()).toBe(before);
  });

  test('that a backfill is told holds the others off for five minutes at most', async () => {
    world.platform.next.push({ status: 429, headers: { 'retry-after': '3600' } });
    expect(await waitOf(page(world.agent, { lane: 'backfill' }))).toBe(3_600_000);
    const live = await waitOf(page(neighbour, { lane: 'live' }));
    expect(live).toBeGreaterThan(290_000);
    expect(live).toBeLessThanOrEqual(300_000);
    await world.rows(sql`update platform_connections set live_limited_until = now()`);
    expect((await page(neighbour, { lane: 'live' })).done).toBe(true);
    expect(await waitOf(page(world.agent, { lane: 'backfill' }))).toBeGreaterThan(3_500_000);
  });

  test('is over when the time has passed, for live calls before a backfill', async () => {
    world.platform.next.push(LIMITED);
    await waitOf(page(world.agent));
    await world.rows(passAll());
    expect(await waitOf(page(neighbour, { lane: 'backfill' }))).toBeLessThanOrEqual(2_000);
    expect((await page(neighbour, { lane: 'live' })).done).toBe(true);
  });

  test('never becomes shorter by what another is told, and holds for seconds where no time is told', async () => {
    world.platform.next.push(LIMITED, { status: 429, headers: { 'retry-after': '5' } });
    await waitOf(page(world.agent));
    await waitOf(page(world.agent, { isPressed: true }));
    expect(await waitOf(page(neighbour))).toBeGreaterThan(590_000);
    await world.rows(passAll());
    world.platform.next.push({ status: 429 });
    await page(world.agent).catch(() => {});
    const leftMs = await waitOf(page(neighbour));
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(5_000);
  });

  test('is asked past by a person who ends the wait, and lifted for all where the platform answers', async () => {
    world.platform.next.push(LIMITED);
    await waitOf(page(world.agent));
    expect((await page(world.agent, { isPressed: true })).done).toBe(true);
    expect((await page(neighbour)).done).toBe(true);
  });

  test('another account is not held off by it', async () => {
    const { database, deps, platform, agent } = world;
    const other = { provider: 'retell', baseUrl: platform.url, providerAgentId: 'agent_apart' } as const;
    const apart = await storeAgent(database.em(), deps.vault, other, agent.workspaceId);
    platform.next.push(LIMITED);
    await waitOf(page(world.agent));
    expect((await page(apart)).done).toBe(true);
  });
});

describe('how often an account is asked at most', () => {
  let world: ActivityWorld;
  beforeEach(async () => {
    world = await openActivityWorld();
  });
  afterEach(() => world.close());

  const reserve = async (count: number, isBackfill: boolean) => {
    const [row] = await world.rows(sql<{ id: string }>`select id from platform_connections`);
    return reserveRequests(world.database.em(), row?.id ?? '', { count, perSecond: 10, isBackfill });
  };

  test('each request of a page has a time of its own at that rate, also with four calls read at once', async () => {
    for (let at = 0; at < 9; at += 1) world.platform.calls.set(`call_${at}`, retellCall(`call_${at}`));
    const [before] = await world.rows(
      sql<{ now: number }>`select extract(epoch from clock_timestamp())::float8 as now`,
    );
    const importId = await world.newImport('manual');
    const plan = { kind: 'manual', source: 'platform', from: null, to: null } as const;
    const request = { ...world.agent, importId, plan, cursor: null, take: null, partial: null };
    const page = await world.run('storeCallPage', request, 1, { ...world.deps, requestsASecond: 20 });
    expect(page.done).toBe(true);
    const [after] = await world.rows(
      sql<{ at: number }>`select extract(epoch from next_request_at)::float8 as at from platform_connections`,
    );
    const requests = world.platform.log.length;
    expect(requests).toBeGreaterThanOrEqual(10);
    // Times are kept in whole milliseconds.
    expect((after?.at ?? 0) - (before?.now ?? 0)).toBeGreaterThanOrEqual(requests / 20 - 0.002 * requests);
  });

  test('whatever is asked gets its turn behind the others, and a backfill none while others wait for theirs', async () => {
    expect(await reserve(1, false)).toBe(0);
    const second = await reserve(5, false);
    const third = await reserve(1, false);
    expect(second).toBeGreaterThan(0);
    expect(third).toBeGreaterThan((second ?? 0) + 250);
    expect(await reserve(2, true)).toBeNull();
    await world.rows(sql`update platform_connections set next_request_at = clock_timestamp() - interval '1 second'`);
    expect(await reserve(2, true)).toBe(0);
  });

  test('where the operator says nothing, nobody is counted', async () => {
    world.platform.calls.set('call_1', retellCall('call_1'));
    await world.run('captureVersions', world.agent);
    expect(await world.rows(sql`select next_request_at as at from platform_connections`)).toEqual([{ at: null }]);
  });
});
