import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DemoAccounts, openDemoAccounts } from '../../packages/demo-platform/accounts.ts';
import { DEMO_AGENTS, DEMO_API_KEY } from '../../packages/demo-platform/agents.ts';
import { readConfiguration } from '../../src/platforms/retell/configuration.ts';
import { normaliseRetell } from '../../src/platforms/retell/normalise.ts';

/** Versions that somebody has the demo platform publish after the planned ones. */

const END_MS = Date.parse('2026-06-15T13:00:00.000Z');
const NOW_MS = END_MS + 86_400_000;
const MINE = 'demo-0190c0de-0000-7000-8000-000000000001';
const OTHERS = 'demo-0190c0de-0000-7000-8000-000000000002';
const [clinic, parcel] = DEMO_AGENTS.map(({ providerAgentId }) => providerAgentId) as [string, string];

let folder: string;
let accounts: DemoAccounts;
const open = () => openDemoAccounts({ endMs: END_MS, folder, clock: () => NOW_MS });
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-demo-'));
  accounts = await open();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const versionsOf = (key: string, agentId: string) => accounts.storeOf(key)?.agents.get(agentId)?.versions ?? [];
const callsOf = (key: string, agentId: string, version: number) =>
  (accounts.storeOf(key)?.calls.get(agentId) ?? []).filter(({ payload }) => payload.agent_version === version);

describe('an account of its own', () => {
  test('shows the same planned calls and versions as the shared one', () => {
    const shared = accounts.storeOf(DEMO_API_KEY);
    expect(accounts.storeOf(MINE)?.calls).toEqual(shared?.calls);
    expect(versionsOf(MINE, clinic)).toEqual([1, 2, 3]);
  });

  test('alone sees what it has published', async () => {
    expect(await accounts.publish(MINE, clinic, 'first')).toEqual({ version: 4 });
    expect(versionsOf(MINE, clinic)).toEqual([1, 2, 3, 4]);
    expect(versionsOf(MINE, parcel)).toEqual([4, 5, 6]);
    for (const other of [DEMO_API_KEY, OTHERS]) {
      expect(versionsOf(other, clinic)).toEqual([1, 2, 3]);
      expect(callsOf(other, clinic, 4)).toEqual([]);
    }
  });

  test('publishes once a request, also when it is asked at once and after a restart', async () => {
    const asked = ['a', 'a', 'b'].map((requestId) => accounts.publish(MINE, clinic, requestId));
    expect(await Promise.all(asked)).toEqual([{ version: 4 }, { version: 4 }, { version: 5 }]);
    const calls = callsOf(MINE, clinic, 5);
    accounts = await open();
    expect(await accounts.publish(MINE, clinic, 'a')).toEqual({ version: 4 });
    expect(versionsOf(MINE, clinic)).toEqual([1, 2, 3, 4, 5]);
    expect(callsOf(MINE, clinic, 5)).toEqual(calls);
  });

  test('is the shared one to nobody, knows no other agents, and ends somewhere', async () => {
    expect(await accounts.publish(DEMO_API_KEY, clinic, 'a')).toBe('shared');
    expect(await accounts.publish(MINE, 'agent_unknown', 'a')).toBe('no_agent');
    expect(accounts.storeOf('demo-anything')).toBeNull();
    for (let nth = 0; nth < 50; nth += 1) await accounts.publish(MINE, parcel, String(nth));
    expect(await accounts.publish(MINE, parcel, 'one more')).toBe('too_many');
  });

  test('a spoiled file counts as none', async () => {
    await writeFile(path.join(folder, 'demo-versions.json'), '[{"account": 1}, {"acc');
    accounts = await open();
    expect(versionsOf(MINE, clinic)).toEqual([1, 2, 3]);
  });
});

describe.each(DEMO_AGENTS)('later versions of $name', ({ providerAgentId }) => {
  const LATER = 10;
  const publishAll = async () => {
    for (let nth = 0; nth < LATER; nth += 1) await accounts.publish(MINE, providerAgentId, String(nth));
    const store = accounts.storeOf(MINE);
    const agent = store?.agents.get(providerAgentId);
    if (!store || !agent) throw new Error('The agent is missing.');
    return agent.versions.slice(-LATER - 1).map((version) => ({
      version,
      configuration: readConfiguration({
        agent: agent.settings(version, END_MS),
        engine: agent.engine(version),
        components: [],
      }),
    }));
  };

  test('each differs from the one before', async () => {
    const versions = await publishAll();
    const texts = versions.map(({ configuration }) => JSON.stringify(configuration));
    for (const [at, text] of texts.entries()) expect(text).not.toBe(texts[at - 1]);
  });

  test('each takes enough calls for a verdict, all over, with the steps and tools of its configuration', async () => {
    for (const { version, configuration } of (await publishAll()).slice(1)) {
      const calls = callsOf(MINE, providerAgentId, version).map(({ payload }) => normaliseRetell(payload, NOW_MS));
      expect(calls.length).toBeGreaterThanOrEqual(45);
      const edges = new Set(
        configuration.nodes.flatMap((node) => node.edges.map((edge) => `${node.id} to ${edge.to}`)),
      );
      const tools = new Set([...configuration.tools.map(({ name }) => name), 'transfer_call']);
      for (const call of calls) {
        expect(Date.parse(call.endedAt ?? '')).toBeLessThanOrEqual(NOW_MS);
        expect(Date.parse(call.startedAt ?? '')).toBeGreaterThan(NOW_MS - 3_600_000);
        for (const move of call.transitions.slice(1)) expect(edges).toContain(`${move.fromId} to ${move.toId}`);
        const used = call.turns.flatMap(({ toolCall }) => (toolCall === null ? [] : [toolCall.name]));
        expect(used.filter((name) => !tools.has(name))).toEqual([]);
      }
    }
  });
});
