import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountRequest } from '../../activities/poll-account/poll-account.ts';
import { accountsToPoll } from '../../src/db/connections/accounts.ts';
import { markErased } from '../../src/db/erasures/tombstones.ts';
import { hasFollowedAgents, noteAnnounced } from '../../src/db/imports/announced-calls.ts';
import { storeFailures } from '../../src/db/imports/failures.ts';
import { readStanding } from '../../src/db/workspaces/read-standing.ts';
import type { AccountLook } from '../../src/temporal/account-poller.ts';
import { type StoredAgent, storeAgent } from '../support/pipeline.ts';
import { retellCall } from '../support/stand-in-platform.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

const AGENTS = 25;
const QUIET = { there: true, agents: AGENTS, news: 0, apart: 0, wait: null, refused: null };

describe('one look for all agents of an account', () => {
  let world: ActivityWorld;
  let agents: StoredAgent[];
  let request: AccountRequest;

  beforeEach(async () => {
    world = await openActivityWorld();
    const { agent } = world;
    const [row] = await world.rows(sql<{ id: string }>`select id from platform_connections`);
    const connectionId = row?.id ?? '';
    agents = [agent];
    request = { workspaceId: agent.workspaceId, connectionId, isWhole: true, hasFailed: false };
    await haveAgents(AGENTS);
    await world.rows(sql`update platform_connections set status = 'ok'`);
  });
  afterEach(() => world.close());

  async function haveAgents(count: number): Promise<void> {
    const { database, deps, platform, agent } = world;
    for (let at = agents.length; at < count; at += 1) {
      const made = { provider: 'retell', baseUrl: platform.url, providerAgentId: idOf(at) } as const;
      agents.push(await storeAgent(database.em(), deps.vault, made, agent.workspaceId, request.connectionId));
    }
    platform.agentIds = agents.map((_, at) => idOf(at));
    await world.rows(sql`update agents set bookmark_at = now() - interval '1 minute', versions_taken_at = now()`);
  }
  const idOf = (at: number) => (at === 0 ? 'agent_stand_in' : `agent_${at}`);
  const at = (nth: number): StoredAgent => {
    const agent = agents[nth];
    if (!agent) throw new Error(`There is no agent ${nth}.`);
    return agent;
  };
  const look = (changes: Partial<AccountRequest> = {}): Promise<AccountLook> =>
    world.run('pollAccount', { ...request, ...changes });
  const ring = (nth: number, id: string, shape: Parameters<typeof retellCall>[1] = { minutesAgo: 2 }, more = {}) => {
    const call = retellCall(id, shape);
    if (call.kind === 'call') call.payload = { ...call.payload, agent_id: idOf(nth), ...more };
    world.platform.calls.set(id, call);
  };
  const store = async (nth: number, id: string) => {
    const agent = at(nth);
    await world.rows(sql`insert into calls (id, workspace_id, agent_id, provider_call_id, version, state, started_at, payload_digest, disconnection_reason, direction, duration_ms)
      values (gen_random_uuid(), ${agent.workspaceId}, ${agent.agentId}, ${id}, 1, 'analysed', now() - interval '2 minutes', '', '', 'inbound', 1)`);
  };
  interface Poll {
    agentId: string;
    status: string;
    attempt: number;
    listed: number;
    unchanged: number;
    stillFailed: number;
    ongoing: number;
    reason: string | null;
  }
  const polls = () =>
    world.rows(sql<Poll>`select agent_id as "agentId", status, attempt, listed, unchanged, still_failed as "stillFailed", ongoing, reason
      from imports
      where kind = 'poll' order by agent_id`);
  const ordered = () =>
    world.rows(
      sql<{ workflowId: string; action: string }>`select workflow_id as "workflowId", action from outbox_entries`,
    );
  const coordinator = (nth: number, action: string) => ({ workflowId: `agent/${at(nth).agentId}`, action });
  const byWorkflow = (a: { workflowId: string }, b: { workflowId: string }) => (a.workflowId < b.workflowId ? -1 : 1);
  const lists = () => world.platform.log.filter((line) => line.includes('list-calls')).length;
  const lag = async () => {
    const { importLagSeconds } = await readStanding(world.database.within(request.workspaceId), request.workspaceId);
    return importLagSeconds ?? Number.NaN;
  };
  const bookmark = async (nth: number) => {
    const [row] = await world.rows(
      sql<{
        agoS: number;
      }>`select extract(epoch from now() - bookmark_at)::float8 as "agoS" from agents where id = ${at(nth).agentId}`,
    );
    return row?.agoS ?? Number.NaN;
  };

  test('nothing new: one list, a poll noted at each agent, and every bookmark moved', async () => {
    expect(await look()).toEqual(QUIET);
    expect(lists()).toBe(2);
    expect(await polls()).toHaveLength(AGENTS);
    expect(await ordered()).toEqual([]);
    expect(await bookmark(7)).toBeLessThan(10);
    await look({ isWhole: false });
    const noted = await polls();
    expect(noted).toHaveLength(AGENTS);
    expect(noted.every(({ status, attempt }) => status === 'complete' && attempt === 2)).toBe(true);
  });

  test('news of one agent of twenty-five: an import of that one, and quiet polls of the others', async () => {
    await store(4, 'known');
    ring(4, 'known');
    ring(3, 'new');
    expect(await look()).toEqual({ ...QUIET, news: 1 });
    expect(await ordered()).toEqual([coordinator(3, 'importRequested')]);
    const byAgent = new Map((await polls()).map((poll) => [poll.agentId, poll]));
    expect(byAgent.get(at(3).agentId)).toMatchObject({ status: 'queued', attempt: 1 });
    expect(byAgent.get(at(4).agentId)).toMatchObject({ status: 'complete', listed: 1, unchanged: 1 });
    expect(await bookmark(3)).toBeGreaterThan(50);
    // Its poll is open: the next look leaves it alone.
    expect(await look()).toEqual({ ...QUIET, agents: AGENTS - 1 });
    expect(await ordered()).toHaveLength(1);
  });

  test('records that were kept with a reason are told apart from calls that are as they were', async () => {
    const importId = await world.newImport('manual');
    for (const id of ['a', 'b', 'c']) ring(0, id);
    await store(0, 'c');
    const kept = ['a', 'b'].map((ref) => ({ ref, reason: 'No answer.', payload: null }));
    const owner = { ...at(0), importId, vault: world.deps.vault };
    await storeFailures(world.database.within(request.workspaceId), { ...owner, failures: kept });
    expect(await look()).toEqual(QUIET);
    const [first] = (await polls()).filter(({ agentId }) => agentId === at(0).agentId);
    expect(first).toMatchObject({ listed: 3, unchanged: 1, stillFailed: 2, ongoing: 0 });
  });

  test('two looks at once order one import', async () => {
    ring(3, 'new');
    await Promise.all([look(), look()]);
    expect(await ordered()).toEqual([coordinator(3, 'importRequested')]);
    expect(await polls()).toHaveLength(AGENTS);
  });

  test('a call that goes on holds its agent back alone, and is news when it is over', async () => {
    ring(2, 'talking', { minutesAgo: 30 }, { call_status: 'ongoing' });
    expect(await lag()).toBeGreaterThan(50);
    expect(await look()).toEqual(QUIET);
    expect((await polls()).find(({ agentId }) => agentId === at(2).agentId)).toMatchObject({ listed: 1, ongoing: 1 });
    expect(await bookmark(2)).toBeGreaterThan(50);
    expect(await bookmark(1)).toBeLessThan(10);
    // Whoever watches the lag sees what ended and was not read.
    expect(await lag()).toBeLessThan(30);
    ring(2, 'talking', { minutesAgo: 30 });
    expect((await look({ isWhole: false })).news).toBe(1);
    expect(await ordered()).toEqual([coordinator(2, 'importRequested')]);
  });

  test('a call that never connected is news; one that was erased stays away', async () => {
    ring(1, 'no answer', {}, { call_status: 'not_connected', start_timestamp: null });
    ring(5, 'erased');
    await markErased(world.database.within(request.workspaceId), world.deps.vault, at(5), ['erased']);
    expect(await look({ isWhole: false })).toEqual({ ...QUIET, news: 1 });
    expect(await ordered()).toEqual([coordinator(1, 'importRequested')]);
  });

  test('what an event told, and a known call whose reading is due again, are news', async () => {
    const em = world.database.within(request.workspaceId);
    await noteAnnounced(em, { ...at(6), providerCallId: 'told', digest: 'd' });
    await store(8, 'due');
    await world.rows(sql`update calls set created_at = now() - interval '10 minutes 30 seconds'`);
    await store(9, 'young');
    expect((await look()).news).toBe(2);
    expect(await ordered()).toEqual([6, 8].map((nth) => coordinator(nth, 'importRequested')).toSorted(byWorkflow));
  });

  test('an agent that is far behind looks by itself, and has the others read no further back', async () => {
    await world.rows(sql`update agents set bookmark_at = now() - interval '2 days' where id = ${at(0).agentId}`);
    expect(await look()).toEqual({ ...QUIET, apart: 1 });
    expect(await ordered()).toEqual([coordinator(0, 'poll')]);
    expect(await polls()).toHaveLength(AGENTS - 1);
  });

  test('a list that is too long is read by each agent itself; read to what is known, it is short', async () => {
    for (let nth = 0; nth < 5_200; nth += 1) ring(1, `call_${nth}`, { minutesAgo: 15 + nth / 60 });
    const calls = [...world.platform.calls.keys()];
    await world.rows(sql`insert into calls (id, workspace_id, agent_id, provider_call_id, version, state, started_at, created_at, payload_digest,
        disconnection_reason, direction, duration_ms)
      select gen_random_uuid(), ${at(1).workspaceId}, ${at(1).agentId}, ref, 1, 'analysed', now() - interval '1 hour',
        now() - interval '1 day', '', '', 'inbound', 1
      from unnest(${calls}::text[]) as ref`);
    expect(await look({ isWhole: false })).toEqual(QUIET);
    expect(lists()).toBe(2);
    expect(await look()).toMatchObject({ apart: AGENTS, news: 0 });
  });

  test('a platform that takes no list of several agents is asked by each, after a few questions', async () => {
    world.platform.agentsInAList = 1;
    expect(await look()).toMatchObject({ apart: AGENTS });
    expect(await ordered()).toHaveLength(AGENTS);
    expect(world.platform.lists.map(({ agents }) => agents)).toEqual([25, 13, 7, 18, 9]);
  });

  test.each([
    { count: 101, most: null, lists: [101] },
    { count: 101, most: 100, lists: [51, 50] },
    { count: 250, most: 100, lists: [63, 63, 63, 61] },
    { count: 1_000, most: null, lists: [1_000] },
    { count: 1_000, most: 100, lists: [...Array.from({ length: 15 }, () => 63), 55] },
  ])('an account of $count agents is polled whole where the platform takes $most in a list', async (asked) => {
    await haveAgents(asked.count);
    world.platform.agentsInAList = asked.most;
    const withNews = [0, asked.count >> 1, asked.count - 1];
    for (const nth of withNews) ring(nth, `new_${nth}`);
    expect(await look()).toEqual({ ...QUIET, agents: asked.count, news: withNews.length });
    expect((await ordered()).toSorted(byWorkflow)).toEqual(
      withNews.map((nth) => coordinator(nth, 'importRequested')).toSorted(byWorkflow),
    );
    // Each list has two parts: calls with a start, and those without.
    const taken = world.platform.lists.filter(({ refused }) => !refused).map(({ agents }) => agents);
    expect(taken).toEqual(asked.lists.flatMap((agents) => [agents, agents]));
    expect(world.platform.lists.length - taken.length).toBeLessThanOrEqual(Math.ceil(Math.log2(asked.count)));
    expect((await polls()).filter(({ status }) => status === 'complete')).toHaveLength(asked.count - withNews.length);
    expect(await bookmark(1)).toBeLessThan(60);
  });

  test('agents that the platform refuses to list look by themselves, beside others that it lists', async () => {
    await haveAgents(40);
    world.platform.unknownAgent = idOf(3);
    const apart = await look();
    expect(apart.agents).toBe(40);
    expect(apart.apart).toBeGreaterThan(0);
    expect(apart.apart).toBeLessThanOrEqual(10);
    expect((await ordered()).map(({ workflowId }) => workflowId)).toContain(`agent/${at(3).agentId}`);
    expect(world.platform.lists.length).toBeLessThan(40);
  });

  test('a list of many agents may be longer, as each by itself would cost more', async () => {
    await haveAgents(100);
    for (let nth = 0; nth < 5_500; nth += 1) ring(nth % 100, `call_${nth}`, { minutesAgo: 2 + nth / 60 });
    const known = [...world.platform.calls.keys()];
    await world.rows(sql`insert into calls (id, workspace_id, agent_id, provider_call_id, version, state, started_at, created_at, payload_digest,
        disconnection_reason, direction, duration_ms)
      select gen_random_uuid(), ${request.workspaceId}, agent_id, ref, 1, 'analysed', now() - interval '1 hour',
        now() - interval '1 day', '', '', 'inbound', 1
      from unnest(${known}::text[], ${known.map((_, nth) => at(nth % 100).agentId)}::uuid[]) as known(ref, agent_id)`);
    expect(await look()).toEqual({ ...QUIET, agents: 100 });
    expect(lists()).toBe(7);
  });

  test('a key that is refused ends the poll of each agent with that reason, and is noted once', async () => {
    world.platform.always = { status: 401 };
    const { refused } = await look();
    expect(refused).toContain('refused the key');
    expect(world.platform.log).toHaveLength(1);
    const failed = await polls();
    expect(failed).toHaveLength(AGENTS);
    expect(failed.every(({ status, reason }) => status === 'failed' && reason === refused)).toBe(true);
    const status = sql<{ status: string }>`select status from platform_connections`;
    expect(await world.rows(status)).toEqual([{ status: 'refused' }]);
    world.platform.always = null;
    expect(await look()).toEqual(QUIET);
    expect(await world.rows(status)).toEqual([{ status: 'ok' }]);
  });

  describe('a first import that the platform refused', () => {
    const failFirst = async (nth: number, finishedAgo: string) => {
      await world.rows(sql`update agents set bookmark_at = null where id = ${at(nth).agentId}`);
      await world.rows(sql`insert into imports (id, workspace_id, agent_id, kind, status, refused, finished_at)
        values (gen_random_uuid(), ${request.workspaceId}, ${at(nth).agentId}, 'first', 'failed', true,
          now() - ${finishedAgo}::interval)`);
    };
    const firsts = () =>
      world.rows(sql<{ status: string; attempt: number }>`select status, attempt from imports where kind = 'first'`);

    test('is tried again as soon as the account answers, beside the polls of the others', async () => {
      await failFirst(2, '1 minute');
      expect(await look()).toEqual(QUIET);
      expect(await ordered()).toEqual([coordinator(2, 'importRequested')]);
      expect(await firsts()).toEqual([{ status: 'queued', attempt: 2 }]);
      expect(await look()).toEqual({ ...QUIET, agents: AGENTS - 1 });
      expect(await ordered()).toHaveLength(1);
    });

    test('of the only agent there is, waits for a key that answers, and asks for nothing else', async () => {
      await world.rows(sql`delete from agents where id <> ${at(0).agentId}`);
      await failFirst(0, '1 minute');
      world.platform.always = { status: 403 };
      expect((await look()).refused).toContain('refused the key');
      expect(await firsts()).toEqual([{ status: 'failed', attempt: 1 }]);
      world.platform.always = null;
      expect(await look()).toMatchObject({ agents: 1, refused: null });
      expect(await firsts()).toEqual([{ status: 'queued', attempt: 2 }]);
      expect(world.platform.log.filter((line) => line.includes('list-calls'))).toEqual([]);
    });

    test('is left alone until its gap is over, unless the key was looked at since', async () => {
      await failFirst(2, '1 minute');
      await world.rows(sql`update imports set attempt = 10 where kind = 'first'`);
      await look();
      expect(await ordered()).toEqual([]);
      await world.rows(sql`update platform_connections set checked_at = now()`);
      await look();
      expect(await ordered()).toEqual([coordinator(2, 'importRequested')]);
    });

    test('keeps the poller of its account open, and one that a person cancelled or that failed otherwise does not', async () => {
      const em = world.database.within(request.workspaceId);
      await world.rows(sql`delete from agents where id <> ${at(0).agentId}`);
      await failFirst(0, '1 minute');
      expect(await accountsToPoll(em, request.workspaceId)).toHaveLength(1);
      expect(await hasFollowedAgents(em, request.connectionId)).toBe(true);
      await world.rows(sql`update imports set refused = false where kind = 'first'`);
      expect(await accountsToPoll(em, request.workspaceId)).toEqual([]);
      expect(await hasFollowedAgents(em, request.connectionId)).toBe(false);
    });
  });

  test('a short limit of the account is waited for without a word; a long one is told at each agent', async () => {
    world.platform.next.push({ status: 429, headers: { 'retry-after': '30' } });
    expect(await look()).toMatchObject({ news: 0, wait: { rateLimited: true, retryAfterMs: 30_000 } });
    expect(await ordered()).toEqual([]);
    await world.rows(sql`update platform_connections set live_limited_until = now() + interval '1 hour'`);
    const asked = world.platform.log.length;
    expect(await look()).toMatchObject({ news: AGENTS, wait: { rateLimited: true } });
    expect(world.platform.log).toHaveLength(asked);
    expect(await ordered()).toHaveLength(AGENTS);
  });

  test('a platform without an answer is asked again soon, and then waited for at each agent', async () => {
    world.platform.always = { status: 503 };
    expect(await look()).toMatchObject({ news: 0, wait: { rateLimited: false } });
    expect(await look({ hasFailed: true })).toMatchObject({ news: AGENTS });
    expect(await ordered()).toHaveLength(AGENTS);
  });

  test('a connection whose agents are gone is there no more', async () => {
    await world.rows(sql`update agents set connection_id = null`);
    expect(await look()).toMatchObject({ there: false });
  });
});
