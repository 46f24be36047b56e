import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAccount } from '../../activities/poll-account/list-account.ts';
import type { PolledAgent } from '../../src/db/imports/account-polls.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { ACCOUNTS, answerOf, type Held, iso } from '../support/account-speech.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

describe.each(['retell', 'vapi', 'elevenlabs'] as const)('a look at an account of %s', (provider) => {
  const speech = ACCOUNTS[provider];
  let world: ActivityWorld;
  let server: ScriptedServer;
  let outbound: Outbound;
  let agents: PolledAgent[];

  beforeEach(async () => {
    [world, server] = await Promise.all([openActivityWorld(), startScriptedServer()]);
    outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
    const polled = (agentId: string, providerAgentId: string): PolledAgent => ({
      ...world.agent,
      agentId,
      provider,
      providerAgentId,
      name: 'Front desk',
      bookmarkAt: iso(-1),
      isAnnounced: false,
      waits: false,
      versionMark: null,
      versionsTakenAgoS: null,
      nowAt: iso(0),
    });
    agents = [polled(world.agent.agentId, 'agent_a'), polled('01900000-0000-7000-8000-00000000000b', 'agent_b')];
  });
  afterEach(async () => {
    await Promise.all([outbound.close(), server.close()]);
    await world.close();
  });

  const look = (isWhole: boolean) =>
    listAccount(
      {
        deps: world.deps,
        em: world.database.within(world.agent.workspaceId),
        adapter: speech.open(outbound),
        connection: { baseUrl: server.url, apiKey: 'key' },
      },
      agents,
      isWhole,
    );
  const hold = (held: readonly Held[]) => server.answerWith((request) => ({ json: answerOf(speech, request, held) }));
  /** So many of the agent, over the last hundred minutes. */
  const calls = (count: number, agent: string): Held[] =>
    Array.from({ length: count }, (_, nth) => ({ id: `call_${nth}`, agent, minute: -0.5 - (nth * 99) / count }));
  const know = (held: readonly Held[]) =>
    world.rows(sql`insert into calls (id, workspace_id, agent_id, provider_call_id, version, state, payload_digest,
        disconnection_reason, direction, duration_ms)
      select gen_random_uuid(), ${world.agent.workspaceId}, ${world.agent.agentId}, ref, 1, 'analysed', '', '', 'inbound', 1
      from unnest(${held.map(({ id }) => id)}::text[]) as ref`);
  const NONE = new Set<string>();
  // Retell gives a thousand calls a page, and lists those without a start apart.
  const requests = (pages: number) => (provider === 'retell' ? 2 : pages);

  test('ends at the first page that is known and old enough, or at the end of the window', async () => {
    const held = calls(250, 'agent_a');
    await know(held);
    hold(held);
    expect(await look(false)).toMatchObject({ news: NONE, unread: NONE });
    expect(server.requests).toHaveLength(requests(1));
    const { seen } = await look(true);
    expect(server.requests).toHaveLength(requests(1) + requests(3));
    expect(seen.get(world.agent.agentId)).toMatchObject({ listed: 250, ongoing: 0 });
  });

  test('goes on where a page has a call that is not known, down to one that has none', async () => {
    const held = calls(250, 'agent_a');
    await know(held.filter((_, nth) => nth !== 120));
    hold(held);
    // The first page is known, and too young to be sure that nothing behind it is new.
    agents = agents.map((agent) => ({ ...agent, bookmarkAt: iso(-45) }));
    expect(await look(false)).toMatchObject({ news: new Set([world.agent.agentId]), unread: NONE });
    expect(server.requests).toHaveLength(requests(3));
  });

  test('finds nothing new in pages of calls of agents that nobody imports, and of items that name none', async () => {
    hold([...calls(150, 'agent_z'), { id: 'nameless', minute: -20 }]);
    const { news, unread, seen } = await look(true);
    expect([news, unread]).toEqual([NONE, NONE]);
    expect([...seen.values()].map(({ listed }) => listed)).toEqual([0, 0]);
  });

  test('names the agents for which the list was too long', async () => {
    const held = calls(650, 'agent_a');
    await know(held);
    hold(held);
    const { unread } = await look(true);
    expect(unread).toEqual(provider === 'retell' ? NONE : new Set(agents.map(({ agentId }) => agentId)));
    expect(server.requests).toHaveLength(requests(5));
  });

  test('leaves to the agents what is behind a cursor that the platform takes no more', async () => {
    const held = calls(provider === 'retell' ? 1_100 : 150, 'agent_a');
    await know(held);
    server.answerWith((request) =>
      server.requests.length === 1
        ? { json: answerOf(speech, request, held) }
        : { status: speech.expired, json: { message: 'expired' } },
    );
    const { news, unread } = await look(true);
    expect([news, unread]).toEqual([NONE, new Set(agents.map(({ agentId }) => agentId))]);
  });

  test('a limit in the middle of the list is the platform’s word, and no end of it', async () => {
    const held = calls(provider === 'retell' ? 1_100 : 150, 'agent_a');
    await know(held);
    server.answerWith((request) =>
      server.requests.length === 1
        ? { json: answerOf(speech, request, held) }
        : { status: 429, headers: { 'retry-after': '7' }, json: {} },
    );
    await expect(look(true)).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 7_000 });
  });
});
