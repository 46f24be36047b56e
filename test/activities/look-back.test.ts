import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookBack } from '../../activities/poll-account/look-back.ts';
import { markErased } from '../../src/db/erasures/tombstones.ts';
import { announcedCalls } from '../../src/db/imports/announced-calls.ts';
import { storeFailures } from '../../src/db/imports/failures.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import type { LookBack } from '../../src/temporal/account-poller.ts';
import { ACCOUNTS, answerOf, type Held, minuteOf } from '../support/account-speech.ts';
import { type StoredAgent, storeAgent } from '../support/pipeline.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

const DAY_H = 24;

describe.each(['retell', 'vapi', 'elevenlabs'] as const)('a look back at an account of %s', (provider) => {
  const speech = ACCOUNTS[provider];
  let world: ActivityWorld;
  let server: ScriptedServer;
  let outbound: Outbound;
  let agents: StoredAgent[];
  let account: { connectionId: string; workspaceId: string };

  beforeEach(async () => {
    [world, server] = await Promise.all([openActivityWorld(), startScriptedServer()]);
    outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
    const em = world.database.em();
    const first = await storeAgent(em, world.deps.vault, { provider, baseUrl: server.url, providerAgentId: 'agent_a' });
    const { workspaceId } = first;
    const [row] = await world.rows(
      sql<{ id: string }>`select connection_id as id from agents where id = ${first.agentId}`,
    );
    account = { connectionId: row?.id ?? '', workspaceId };
    const made = { provider, baseUrl: server.url, providerAgentId: 'agent_b' } as const;
    agents = [first, await storeAgent(em, world.deps.vault, made, workspaceId, account.connectionId)];
    await world.rows(sql`update agents set bookmark_at = now()`);
    for (const agent of agents) await imported(agent, { fromDaysAgo: 30, limit: null });
  });
  afterEach(async () => {
    await Promise.all([outbound.close(), server.close()]);
    await world.close();
  });

  const imported = (agent: StoredAgent, { fromDaysAgo, limit }: { fromDaysAgo: number; limit: number | null }) =>
    world.rows(sql`insert into imports (id, workspace_id, agent_id, kind, status, window_from, window_to, call_limit, listed)
      values (gen_random_uuid(), ${agent.workspaceId}, ${agent.agentId}, 'first', 'complete',
        now() - ${fromDaysAgo} * interval '1 day', now(), ${limit}, ${limit ?? 0})`);
  const em = () => world.database.within(account.workspaceId);
  const look = (depth: LookBack['depth'], at: string | null = null) =>
    lookBack(
      {
        deps: world.deps,
        em: em(),
        adapter: speech.open(outbound, Date.now),
        connection: { baseUrl: server.url, apiKey: 'key' },
      },
      account,
      { depth, at },
    );
  const hold = (held: readonly Held[]) => server.answerWith((request) => ({ json: answerOf(speech, request, held) }));
  const call = (id: string, agent: string, hoursAgo: number, over: Partial<Held> = {}): Held => ({
    id,
    agent,
    minute: Math.floor(minuteOf(Date.now() - hoursAgo * 3_600_000)),
    ...over,
  });
  const know = (refs: readonly string[], hoursAgo = 1, agent: StoredAgent | undefined = agents[0]) =>
    world.rows(sql`insert into calls (id, workspace_id, agent_id, provider_call_id, version, state, payload_digest,
        disconnection_reason, direction, duration_ms, started_at)
      select gen_random_uuid(), ${account.workspaceId}, ${agent?.agentId}, ref, 1, 'analysed', '', '', 'inbound', 1,
        now() - ${hoursAgo} * interval '1 hour'
      from unnest(${[...refs]}::text[]) as ref`);
  const told = async (nth: number) =>
    (await announcedCalls(em(), agents[nth]?.agentId ?? '')).map(({ ref }) => ref).toSorted();
  const polls = async () =>
    (await world.rows(sql<{ id: string }>`select agent_id as id from imports where kind = 'poll'`)).map(({ id }) => id);

  test('has calls read that no poll met, each by its own agent, and nothing that is known, erased or going on', async () => {
    await know(['known']);
    const importId = await world.newImport('manual');
    const kept = [{ ref: 'kept', reason: 'No answer.', payload: null }];
    const [first] = agents;
    if (!first) throw new Error('no agent');
    await storeFailures(em(), { ...first, importId, vault: world.deps.vault, failures: kept });
    await markErased(em(), world.deps.vault, first, ['erased']);
    hold([
      call('new', 'agent_a', 0.5),
      call('late', 'agent_a', 3),
      call('late too', 'agent_b', 20),
      call('known', 'agent_a', 4),
      call('kept', 'agent_a', 5),
      call('erased', 'agent_a', 6),
      call('talking', 'agent_a', 7, { goesOn: true }),
      call('of nobody', 'agent_c', 8),
      call('too old', 'agent_a', DAY_H + 1),
    ]);
    expect(await look('day')).toEqual({ calls: 2, at: null });
    expect([await told(0), await told(1)]).toEqual([['late'], ['late too']]);
    expect((await polls()).toSorted()).toEqual(agents.map(({ agentId }) => agentId).toSorted());
  });

  test('goes as far as an import reached: not to calls that its limit left out', async () => {
    const held = [call('late', 'agent_a', 50), call('left out', 'agent_a', 80), call('older', 'agent_b', 29 * DAY_H)];
    hold([...held, call('before all', 'agent_b', 31 * DAY_H)]);
    await world.rows(sql`update imports set call_limit = 500, listed = 500 where agent_id = ${agents[0]?.agentId}`);
    await know(['oldest'], 70);
    expect(await look('reach')).toEqual({ calls: 2, at: null });
    expect([await told(0), await told(1)]).toEqual([['late'], ['older']]);
  });

  test('a list that is too long goes on at the next look where this one ended', async () => {
    const size = speech.largestPage;
    const held = Array.from({ length: 25 * size }, (_, nth) =>
      call(`call_${nth}`, 'agent_a', 3 + (nth * 20) / (25 * size)),
    );
    await know(held.map(({ id }) => id));
    const late = call('late', 'agent_a', 23);
    hold([...held, late]);
    const begun = await look('day');
    expect(begun).toEqual({ calls: 0, at: expect.any(String) });
    expect(await look('day', begun.at)).toEqual({ calls: 1, at: null });
    expect(await told(0)).toEqual(['late']);
  });

  test('a platform without an answer leaves it to the next one, and what was found before it is read', async () => {
    hold([call('late', 'agent_a', 3)]);
    await look('day');
    server.answerWith(() => ({ status: 503, json: {} }));
    expect(await look('day')).toEqual({ calls: 0, at: null });
  });
});
