import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { insertAgent } from '../../src/db/agents/write-agents.ts';
import { insertConnection } from '../../src/db/connections/connections.ts';
import type { Turn } from '../../src/domain/calls/call.ts';
import { newId } from '../../src/ids.ts';
import { turn } from '../support/analysed-calls.ts';
import { voice, wavOf } from '../support/made-sound.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { minute, seedCalls } from '../support/seed.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { World } from '../support/world.ts';

const address = inject('temporalAddress');

/** The agent answers after 0.9 s, says the platform. On the recording the caller waits for eight seconds. */
const STATED = [
  timed(0, 'agent', 'Hello, how can I help you today?', 500, 3_000),
  timed(1, 'caller', 'I want to book a table for two.', 4_000, 6_000),
  timed(2, 'agent', 'For which day and at what time?', 6_900, 15_800),
  timed(3, 'caller', 'Tomorrow at eight, please.', 17_000, 19_000),
];
const CALLER = voice(20_000, [
  [4_000, 6_000],
  [17_000, 19_000],
]);
const AGENT = voice(
  20_000,
  [
    [500, 3_000],
    [14_000, 15_800],
  ],
  { seed: 2 },
);

function timed(index: number, role: Turn['role'], text: string, startMs: number, endMs: number): Turn {
  return { ...turn(index, role, text), startMs, endMs };
}

describe.skipIf(address === null)('recordings on a real Temporal server', () => {
  let worked: WorkedWorld;
  let world: World;
  let server: ScriptedServer;
  let sending: ReturnType<typeof setInterval>;

  beforeAll(async () => {
    [worked, server] = await Promise.all([startWorkedWorld(address), startScriptedServer()]);
    world = worked.world;
    sending = setInterval(() => void sendOutbox({ database: world.database, temporal: worked.temporal.gateway }), 100);
    server.answerWith(({ path }) => {
      if (path === '/two.wav') return { headers: { 'content-type': 'audio/wav' }, bytes: wavOf([AGENT, CALLER]) };
      if (path === '/gone.wav') return { status: 404, json: {} };
      if (path === '/film.mp4') {
        return { bytes: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(200)]) };
      }
      const id = path.split('/').at(-1);
      const [name] = id === 'call_two' ? ['two.wav'] : id === 'call_gone' ? ['gone.wav'] : ['film.mp4'];
      const json = { call_id: id, call_status: 'ended', recording_multi_channel_url: `${server.url}/${name}` };
      return { json: id === 'call_none' ? { call_id: id, call_status: 'ended' } : json };
    });
  });
  afterAll(async () => {
    clearInterval(sending);
    await server?.close();
    await worked?.close();
  });

  const ask = async (method: 'GET' | 'PATCH', url: string, body?: unknown) =>
    world.ask(method, url, { as: await world.token(), ...(body === undefined ? {} : { body }) });

  async function makeAgent(): Promise<string> {
    const { workspaceId, database, services } = world;
    const em = database.em();
    const sealedKey = services.vault.seal('key_of_the_platform');
    const connectionId = await insertConnection(em, {
      workspaceId,
      platform: 'retell',
      baseUrl: server.url,
      sealedKey,
    });
    const named = { name: 'Recorded', provider: 'retell' as const, providerAgentId: newId(), source: 'retell' };
    const state = { setupStatus: 'approved', onboardingStep: 'done', readOnly: false } as const;
    return (await insertAgent(em, { workspaceId, connectionId, ...named, ...state })) ?? '';
  }

  test('what is heard takes the place of what the platform states, and what can not be heard has its reason', async () => {
    const agentId = await makeAgent();
    const names = ['two', 'gone', 'film', 'none'];
    const ids = await seedCalls(
      world,
      agentId,
      names.map((name, at) => ({
        call: { providerCallId: `call_${name}`, startedAt: minute(at), turns: STATED, timing: 'exact' as const },
        analysis: {},
      })),
    );
    const path = (at: number) => `/app/agents/${agentId}/calls/${ids[at]}/sound`;
    expect((await ask('GET', path(0))).body).toMatchObject({ object: 'call_sound', state: 'off', bands: [] });
    expect(server.requests).toEqual([]);

    expect((await ask('PATCH', `/app/agents/${agentId}`, { hearRecordings: true })).status).toBe(200);
    expect((await ask('GET', `/app/agents/${agentId}/settings`)).body).toMatchObject({ hearRecordings: true });
    await untilTrue(async () => {
      const states = await Promise.all(names.map(async (_, at) => (await ask('GET', path(at))).body.state));
      return !states.includes('waiting');
    });
    const heard = (await ask('GET', path(0))).body;
    expect(heard).toMatchObject({ state: 'heard', channels: 'separate', durationMs: 20_000, measuredAt: 'platform' });
    expect(heard.answers[0].gapMs).toBeGreaterThan(7_900);
    expect(heard.answers[0].gapMs).toBeLessThan(8_100);
    expect(Buffer.from(heard.bands[0], 'base64')).toHaveLength(200);
    expect((await ask('GET', path(1))).body).toMatchObject({ state: 'none', reason: expect.any(String) });
    expect((await ask('GET', path(2))).body).toMatchObject({
      state: 'unreadable',
      reason: expect.stringContaining('MP4'),
    });
    expect((await ask('GET', path(3))).body).toMatchObject({ state: 'none' });

    // The stated 0.9 seconds are no fault, the eight that were heard are.
    await untilTrue(async () => {
      const codes = await codesOf(ids[0] ?? '');
      return codes.includes('turn_latency_high') && codes.includes('dead_air');
    });
    const fetched = server.requests.filter(({ path: asked }) => asked === '/two.wav').length;
    await ask('PATCH', `/app/agents/${agentId}`, { hearRecordings: true });
    await untilTrue(async () => (await openEntries()) === 0);
    expect(server.requests.filter(({ path: asked }) => asked === '/two.wav')).toHaveLength(fetched);
  });

  test('an erased call leaves nothing that was heard', async () => {
    const agentId = await makeAgent();
    const [id] = await seedCalls(world, agentId, [
      { call: { providerCallId: 'call_two', startedAt: minute(9), turns: STATED, timing: 'exact' }, analysis: {} },
    ]);
    await ask('PATCH', `/app/agents/${agentId}`, { hearRecordings: true });
    await untilTrue(async () => (await ask('GET', `/app/agents/${agentId}/calls/${id}/sound`)).body.state === 'heard');
    const erased = await world.ask('POST', `/app/agents/${agentId}/erasures`, {
      as: await world.token(),
      body: { callIds: [id], reason: 'The caller asked for it.' },
    });
    expect(erased.status).toBeLessThan(300);
    await untilTrue(async () => {
      const { rows } = await sql`select 1 from call_sounds where call_id = ${id}`.execute(
        world.database.em().getKysely(),
      );
      return rows.length === 0;
    });
  });

  async function codesOf(callId: string): Promise<string[]> {
    const { rows } = await sql<{ code: string }>`select code from call_signals where call_id = ${callId}`.execute(
      world.database.em().getKysely(),
    );
    return rows.map(({ code }) => code);
  }

  async function openEntries(): Promise<number> {
    const { rows } = await sql<{
      open: number;
    }>`select count(*)::int as open from outbox_entries where sent_at is null`.execute(world.database.em().getKysely());
    return rows[0]?.open ?? 0;
  }
});
