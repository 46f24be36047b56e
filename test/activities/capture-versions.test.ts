import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ANALYSER_DEFAULTS, createAnalyser } from '../../src/analyser/analyser.ts';
import { type StoredAgent, storeAgent } from '../support/pipeline.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

const MIB = 1024 ** 2;

let world: ActivityWorld;
let platform: ScriptedServer;
let agent: StoredAgent;
beforeEach(async () => {
  world = await openActivityWorld();
  platform = await startScriptedServer();
  agent = await storeAgent(world.database.em(), world.deps.vault, { provider: 'retell', baseUrl: platform.url });
});
afterEach(async () => {
  await platform.close();
  await world.close();
});

/** Retell with an agent of these versions, each a flow with shared components of so many bytes. */
function serve(versions: readonly { components: number; bytes: number; prompt?: string }[]): void {
  platform.answerWith(({ path, query }) => {
    const version = Number(query.get('version') ?? 0);
    const one = versions[version];
    if (path.startsWith('/list-agent-versions/') || path.startsWith('/get-agent-versions/')) {
      const items = versions.map((_, at) => ({ version: at, is_published: true, base_version: null }));
      return { json: path.startsWith('/list') ? { items, has_more: false } : items };
    }
    if (path.includes('phone-numbers')) return { json: path.startsWith('/v2') ? { items: [], has_more: false } : [] };
    if (path.startsWith('/get-agent/')) {
      const engine = { type: 'conversation-flow', conversation_flow_id: `flow_${version}`, version };
      return { json: { agent_id: 'a', version, is_published: true, response_engine: engine } };
    }
    if (path.startsWith('/get-conversation-flow-component/')) {
      const bytes = versions[Number(path.split('_').at(-1))]?.bytes ?? 0;
      return { json: { component_id: path.split('/').at(-1), nodes: [], note: 'x'.repeat(bytes) } };
    }
    if (path.startsWith('/get-conversation-flow/')) {
      const nodes = Array.from({ length: one?.components ?? 0 }, (_, at) => ({
        id: `node_${at}`,
        type: 'component',
        component_type: 'shared',
        component_id: `component_${at}_${version}`,
      }));
      return { json: { conversation_flow_id: 'flow', global_prompt: one?.prompt ?? 'Be kind.', nodes } };
    }
    return { status: 404, json: {} };
  });
}

const capture = (deps = world.deps) =>
  world.run('captureVersions', { ...agent, asking: { isPressed: false } }, 1, deps);

const captured = async () =>
  (
    await world.rows<{ version: number }>(sql`
      select version from agent_versions where agent_id = ${agent.agentId} and config_captured order by version`)
  ).map(({ version }) => version);

test('a version that is made of too much is left out, and the others are stored', async () => {
  serve([
    { components: 1, bytes: 10 },
    { components: 20, bytes: 2 * MIB },
    { components: 1, bytes: 5 * MIB },
    { components: 2, bytes: 10 },
  ]);
  expect(await capture()).toEqual({ captured: 2 });
  expect(await captured()).toEqual([0, 3]);
  // Of twenty components, those are read that fit into what a version's answers may have together.
  const read = platform.requests.filter(({ path }) => /component_\d+_1$/.test(path));
  expect(read.length).toBeLessThan(10);
});

test('lines that can not be read in time suggest nothing, and the version is stored', async () => {
  serve([{ components: 0, bytes: 0, prompt: 'Never promise a refund.' }]);
  const hurried = createAnalyser({ ...ANALYSER_DEFAULTS, processes: 1, timeLimitMs: 1 });
  const watches = () => world.rows<{ name: string }>(sql`select name from watches where agent_id = ${agent.agentId}`);
  try {
    expect(await capture({ ...world.deps, analyser: hurried })).toEqual({ captured: 1 });
  } finally {
    await hurried.close();
  }
  expect([await captured(), await watches()]).toEqual([[0], []]);
  expect(await capture()).toEqual({ captured: 0 });
  expect(await watches()).toEqual([{ name: expect.stringMatching(/promises/i) }]);
});
