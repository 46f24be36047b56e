import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_AGENTS, DEMO_API_KEY } from '../../packages/demo-platform/agents.ts';
import { readFirstStart } from '../../packages/demo-platform/first-start.ts';
import { LOOK_ALIKES, PLANTED } from '../../packages/demo-platform/planted.ts';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import type { CallListing, PlatformAdapter } from '../../src/platforms/port.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';

const NOW = new Date('2026-06-15T13:00:00.000Z');
const FROM = new Date(NOW.getTime() - 30 * 86_400_000).toISOString();

const listed = (version: number) => ({ version, ref: null, isCurrent: false });

interface DemoWorld {
  platform: DemoPlatform;
  adapter: PlatformAdapter;
  connection: PlatformConnection;
  close(): Promise<void>;
}

let world: DemoWorld;
const listings = new Map<string, CallListing[]>();
const calls = new Map<string, NormalisedCall[]>();
const [clinic, parcel] = DEMO_AGENTS.map(({ providerAgentId }) => providerAgentId) as [string, string];

async function openWorld(now: Date): Promise<DemoWorld> {
  const platform = await startDemoPlatform({ port: 0, now });
  const outbound = createOutbound({ allow: [], trustedOrigins: [platform.url] });
  const adapter = createPlatforms({ outbound, demoUrl: platform.url }).adapter('demo');
  const connection = { baseUrl: platform.url, apiKey: DEMO_API_KEY };
  return {
    platform,
    adapter,
    connection,
    close: async () => void (await Promise.all([outbound.close(), platform.close()])),
  };
}

async function listAll(
  { adapter, connection }: DemoWorld,
  providerAgentId: string,
  pageSize = 100,
): Promise<CallListing[]> {
  const found: CallListing[] = [];
  let cursor: string | null = null;
  do {
    const page = await adapter.listCalls(connection, {
      providerAgentId,
      from: FROM,
      to: NOW.toISOString(),
      cursor,
      pageSize,
    });
    expect(page.stalled).toBe(false);
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

beforeAll(async () => {
  world = await openWorld(NOW);
  for (const { providerAgentId } of DEMO_AGENTS) {
    const listed = await listAll(world, providerAgentId);
    listings.set(providerAgentId, listed);
    const read = await Promise.all(
      listed.map(({ providerCallId }) => world.adapter.getCall(world.connection, providerCallId)),
    );
    calls.set(
      providerAgentId,
      read.flatMap((one) => (one.state === 'over' ? [world.adapter.normalise(one.payload)] : [])),
    );
  }
});

afterAll(() => world.close());

const all = () => [...calls.values()].flat();

describe('over HTTP', () => {
  test('a wrong key is refused', async () => {
    await expect(world.adapter.checkKey(world.connection)).resolves.toBeUndefined();
    await expect(world.adapter.checkKey({ ...world.connection, apiKey: 'wrong' })).rejects.toMatchObject({
      kind: 'unauthorised',
    });
  });

  test('two agents with at least 700 calls over 30 days', async () => {
    expect(await world.adapter.listAgents(world.connection)).toEqual(DEMO_AGENTS);
    expect(all().length).toBeGreaterThanOrEqual(700);
    const starts = all().flatMap(({ startedAt }) => (startedAt === null ? [] : [Date.parse(startedAt)]));
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(Date.parse(FROM));
    expect(Math.max(...starts)).toBeLessThanOrEqual(NOW.getTime());
    expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThan(27 * 86_400_000);
  });

  test('every call is listed once, whatever the size of the page', async () => {
    const ids = (list: CallListing[]) => list.map(({ providerCallId }) => providerCallId).toSorted();
    const large = listings.get(clinic) ?? [];
    expect(new Set(ids(large)).size).toBe(large.length);
    expect(ids(await listAll(world, clinic, 37))).toEqual(ids(large));
  });

  test('two calls have no start, some still go on, some are gone', async () => {
    const listed = listings.get(clinic) ?? [];
    expect(listed.filter(({ startedAt }) => startedAt === null)).toHaveLength(2);
    expect(listed.filter(({ over }) => !over).length).toBeGreaterThan(0);
    const states = await Promise.all(
      listed.map(async ({ providerCallId }) => (await world.adapter.getCall(world.connection, providerCallId)).state),
    );
    expect(states.filter((state) => state === 'gone').length).toBeGreaterThan(0);
    expect(states.filter((state) => state === 'ongoing').length).toBeGreaterThan(0);
    expect((calls.get(clinic) ?? []).filter(({ ending }) => ending.family === 'dial').length).toBeGreaterThan(3);
  });

  test.each([
    { agent: DEMO_AGENTS[0], many: 2, few: 1 },
    { agent: DEMO_AGENTS[1], many: 3, few: 0 },
  ])('$agent.name has three versions: $many with at least 30 calls, $few with fewer', async ({ agent, many, few }) => {
    const providerAgentId = agent?.providerAgentId ?? '';
    const versions = await world.adapter.listVersions(world.connection, providerAgentId);
    const counts = versions.map(
      ({ version }) => (calls.get(providerAgentId) ?? []).filter((call) => call.version === version).length,
    );
    expect(versions.map(({ isCurrent }) => isCurrent)).toEqual([false, false, true]);
    expect(counts.filter((count) => count >= 30)).toHaveLength(many);
    expect(counts.filter((count) => count > 0 && count < 30)).toHaveLength(few);
  });

  test('versions differ, and each is captured with prompt and tools but no secret', async () => {
    const captured = await Promise.all(
      [1, 2, 3].map((version) => world.adapter.captureVersion(world.connection, clinic, listed(version))),
    );
    expect(new Set(captured.map(({ document }) => JSON.stringify(document))).size).toBe(3);
    for (const { document, configuration } of captured) {
      expect(JSON.stringify(document)).not.toContain('demo-practice-key');
      expect(configuration.tools.length).toBeGreaterThan(5);
      expect(configuration.nodes.length).toBeGreaterThan(10);
    }
    const [first] = await world.adapter.listVersions(world.connection, parcel);
    const prompt = await world.adapter.captureVersion(world.connection, parcel, listed(first?.version ?? 0));
    expect(prompt.configuration).toMatchObject({ nodes: [], prompt: expect.stringContaining('tracking number') });
  });

  test('every move of a call is an edge of its version, every tool is one of its tools', async () => {
    for (const version of [1, 2, 3]) {
      const { configuration } = await world.adapter.captureVersion(world.connection, clinic, listed(version));
      const edges = new Set(
        configuration.nodes.flatMap((node) => node.edges.map((edge) => `${node.id} to ${edge.to}`)),
      );
      const tools = new Set(configuration.tools.map(({ name }) => name));
      for (const call of (calls.get(clinic) ?? []).filter((one) => one.version === version)) {
        for (const move of call.transitions.slice(1)) expect(edges).toContain(`${move.fromId} to ${move.toId}`);
        const used = call.turns.flatMap(({ toolCall }) => (toolCall === null ? [] : [toolCall.name]));
        expect(used.filter((name) => !tools.has(name))).toEqual([]);
      }
    }
  });
});

describe('what is said', () => {
  test('calls are read without a warning and with exact times', () => {
    const talks = all().filter(({ turns }) => turns.length > 0);
    expect(talks.filter(({ timing }) => timing !== 'exact')).toEqual([]);
    const odd = talks.filter(({ warnings, ending }) => warnings.length > 0 && ending.family !== 'machine');
    expect(odd).toEqual([]);
  });

  test('the first request is in words of its own on most calls', () => {
    const requests = all().flatMap(({ turns }) => turns.find(({ role }) => role === 'caller')?.text ?? []);
    const counts = new Map<string, number>();
    for (const text of requests) counts.set(text, (counts.get(text) ?? 0) + 1);
    expect(counts.size / requests.length).toBeGreaterThan(0.7);
    expect(Math.max(...counts.values())).toBeLessThan(requests.length * 0.02);
  });

  test('no phrase is left unfinished', () => {
    const said = all().flatMap(({ turns }) => turns.map(({ text }) => text));
    expect(said.filter((text) => /\{[a-zA-Z]+\}(?!\})|[[\]|]|undefined/.test(text) && !text.includes('{{'))).toEqual(
      [],
    );
    expect(said.filter((text) => / [,.?!]|,,|\?,|\.\.(?!\.)/.test(text.replaceAll('... ', '')))).toEqual([]);
  });

  test('people speak at the pace of people, and the agent answers within seconds', () => {
    for (const call of all()) {
      for (const turn of call.turns) {
        if (turn.words === null || turn.words.length < 8 || turn.startMs === null || turn.endMs === null) continue;
        const wordsPerMinute = turn.words.length / ((turn.endMs - turn.startMs) / 60_000);
        expect(wordsPerMinute).toBeGreaterThan(90);
        expect(wordsPerMinute).toBeLessThan(230);
      }
    }
    const e2e = all()
      .flatMap(({ latency }) => latency?.e2eMs ?? [])
      .toSorted((a, b) => a - b);
    expect(e2e[Math.floor(e2e.length / 2)]).toBeLessThan(1_500);
  });

  test('a call that was spoken costs something', () => {
    for (const call of all().filter(({ turns }) => turns.length > 0)) expect(call.costUsd).toBeGreaterThan(0);
  });

  test('some callers call more than once', () => {
    const numbers = (calls.get(clinic) ?? [])
      .map(({ callerNumber }) => callerNumber)
      .filter((number) => number !== null);
    expect(new Set(numbers).size).toBeLessThan(numbers.length - 20);
  });

  test('what is planted lies in calls that exist, and most calls are healthy', () => {
    const ids = new Set(all().map(({ providerCallId }) => providerCallId));
    const planted = new Set(PLANTED.flatMap(({ callIds }) => callIds));
    expect(PLANTED.length).toBeGreaterThanOrEqual(12);
    const listed = [...PLANTED, ...LOOK_ALIKES];
    expect(listed.filter(({ callIds }) => callIds.length < 8).map(({ what }) => what)).toEqual([]);
    expect(listed.filter(({ callIds }) => callIds.some((id) => !ids.has(id))).map(({ what }) => what)).toEqual([]);
    expect(planted.size).toBeLessThan(ids.size * 0.4);
    expect(LOOK_ALIKES.flatMap(({ callIds }) => callIds).filter((id) => planted.has(id))).toEqual([]);
  });
});

describe('starting again', () => {
  test('the same first start gives the same calls, to the letter', async () => {
    const again = await openWorld(NOW);
    try {
      expect(await listAll(again, parcel)).toEqual(listings.get(parcel));
      for (const { providerCallId } of (listings.get(parcel) ?? []).slice(0, 40)) {
        expect(await again.adapter.getCall(again.connection, providerCallId)).toEqual(
          await world.adapter.getCall(world.connection, providerCallId),
        );
      }
    } finally {
      await again.close();
    }
  });

  test('the first start is kept in the data folder; a spoiled file counts as none', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'earshot-demo-'));
    try {
      const later = new Date(NOW.getTime() + 86_400_000);
      expect(await readFirstStart(folder, NOW)).toEqual(NOW);
      expect(await readFirstStart(folder, later)).toEqual(NOW);
      await writeFile(path.join(folder, 'demo.json'), '{"firstStart":');
      expect(await readFirstStart(folder, later)).toEqual(later);
      expect(JSON.parse(await readFile(path.join(folder, 'demo.json'), 'utf8'))).toEqual({
        firstStart: later.toISOString(),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('the process says on one line when it is ready, and ends with its parent', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'earshot-demo-'));
    const entry = new URL('../../packages/demo-platform/server.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [entry], {
      env: { ...process.env, EARSHOT_DEMO_PORT: '0', EARSHOT_DATA: folder },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    try {
      const line = await new Promise<string>((resolve) =>
        child.stdout?.once('data', (data: Buffer) => resolve(data.toString())),
      );
      const { ready, port } = JSON.parse(line) as { ready: boolean; port: number };
      expect(ready).toBe(true);
      const answer = await fetch(`http://127.0.0.1:${port}/get-api-key-info`, {
        headers: { authorization: `Bearer ${DEMO_API_KEY}` },
      });
      expect(answer.status).toBe(200);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await ended;
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
