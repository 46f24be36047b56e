import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createConversationActivities } from '../../activities/index.ts';
import { createPlayAttempt } from '../../activities/play-cells/play-attempt.ts';
import { withFailures } from '../../activities/shared/failures.ts';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { readModelConfig } from '../../src/config.ts';
import { loadPlayed, type StoredAttempt } from '../../src/db/runs/attempts.ts';
import { storeVersions } from '../../src/db/versions/versions.ts';
import { OWN_CALLER } from '../../src/domain/runs/attempt.ts';
import type { TestSpec } from '../../src/domain/tests/spec.ts';
import { newId } from '../../src/ids.ts';
import { createModels } from '../../src/models/registry.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { AttemptKey } from '../../src/temporal/run-tests.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { modelSettings } from './model-world.ts';
import { openDeps, type PipelineDeps, type StoredAgent, storeAgent } from './pipeline.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { makeRun, makeTests } from './runs.ts';
import type { Loose } from './world.ts';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
/** A Saturday: the demo's "next Tuesday" is the 24th. */
export const DEMO_NOW = new Date('2026-11-21T12:00:00Z');

/** A database, the demo platform behind a proxy that keeps what it is asked, its reception agent, and a model server. */
export interface PlayingWorld extends PipelineDeps {
  demo: DemoPlatform;
  proxy: RecordingProxy;
  server: ModelServer;
  agent: StoredAgent;
  /** With a model for callers; `deps` has none. */
  withModel: ActivityDeps;
  /** A run of one test against a version. @returns the key of its first attempt. */
  cell(spec: Partial<TestSpec>, made?: { version?: number; persona?: string; attempt?: number }): Promise<AttemptKey>;
  /** A run of so many tests of one spec against version 3. @returns the keys of their first attempts. */
  cells(spec: Partial<TestSpec>, count: number): Promise<AttemptKey[]>;
  play(key: AttemptKey, deps?: ActivityDeps): Promise<{ trouble: string | null }>;
  /** Plays and scores the cells of these attempts as Temporal would start it, `env` being what it runs in. */
  playWindow(keys: readonly AttemptKey[], deps?: ActivityDeps, env?: MockActivityEnvironment): Promise<void>;
  played(key: AttemptKey): Promise<StoredAttempt>;
  /** What the platform was asked in simulated calls, oldest first. */
  asked(): Loose[];
  /** Tools that ran for real. */
  liveTools(): Promise<Record<string, number>>;
  rows(query: ReturnType<typeof sql<Loose>>): Promise<Loose[]>;
}

export async function openPlayingWorld(): Promise<PlayingWorld> {
  const demo = await startDemoPlatform({ port: 0, now: DEMO_NOW });
  const proxy = await startRecordingProxy(demo.url);
  const server = await startModelServer();
  const opened = await openDeps();
  const outbound = createOutbound({ allow: [], trustedOrigins: [server.origin] });
  const withModel = { ...opened.deps, models: createModels(outbound, readModelConfig(modelSettings(server))) };
  const providerAgentId = DEMO_AGENTS[0]?.providerAgentId ?? '';
  const agent = await storeAgent(opened.database.em(), opened.deps.vault, {
    provider: 'demo',
    baseUrl: proxy.url,
    providerAgentId,
    apiKey: 'demo',
  });
  await capture(opened, proxy.url, providerAgentId, agent);
  const rows: PlayingWorld['rows'] = async (query) => (await query.execute(opened.database.em().getKysely())).rows;
  return {
    ...opened,
    demo,
    proxy,
    server,
    agent,
    withModel,
    rows,
    async cell(spec, { version = 3, persona = '@source', attempt = 1 } = {}) {
      const [runId, testId] = [newId(), newId()];
      const { workspaceId, agentId } = agent;
      await rows(sql`
        insert into tests (id, workspace_id, agent_id, title, source, gate_reason, created_by)
        values (${testId}, ${workspaceId}, ${agentId}, 'A test', 'written', 'Not calibrated.', 'a test')`);
      await rows(sql`
        insert into test_revisions (test_id, revision, workspace_id, agent_id, spec, created_by)
        values (${testId}, 1, ${workspaceId}, ${agentId}, ${JSON.stringify(specOf(spec))}::jsonb, 'a test')`);
      await rows(sql`
        insert into runs (id, workspace_id, agent_id, trigger, status, version, test_ids, cells_requested, cells_runnable,
          created_by)
        values (${runId}, ${workspaceId}, ${agentId}, 'manual', 'running', ${version}, ${[testId]}, 1, 1, 'a test')`);
      await rows(sql`
        insert into run_cells (run_id, test_id, persona, workspace_id, agent_id, position, test_revision, source, expect,
          guard, gates, runnable)
        values (${runId}, ${testId}, ${persona}, ${workspaceId}, ${agentId}, 0, 1, 'written', 'pass', false, false, true)`);
      return { workspaceId, agentId, runId, testId, persona, attempt };
    },
    async cells(spec, count) {
      const testIds = await makeTests(opened.database, agent, count, specOf(spec));
      const runId = await makeRun(opened.database, agent, testIds, { version: 3 });
      return testIds.map((testId) => ({ ...agent, runId, testId, persona: OWN_CALLER, attempt: 1 }));
    },
    play: (key, deps = opened.deps) =>
      new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
        withFailures({ playAttempt: createPlayAttempt(deps) }).playAttempt as never,
        key as never,
      ),
    playWindow: (keys, deps = opened.deps, env = new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT })) =>
      env.run(
        createConversationActivities(deps).playWindow as never,
        {
          ...agent,
          runId: keys[0]?.runId,
          atOnce: 1,
          cells: keys.map(({ testId, persona, attempt }) => ({ testId, persona, firstAttempt: attempt })),
        } as never,
      ),
    async played(key) {
      const stored = await loadPlayed(opened.database.within(key.workspaceId), key);
      if (stored === null) throw new Error('the attempt was never begun');
      return stored;
    },
    asked: () =>
      proxy.requests.filter(({ path }) => path.startsWith('/agent-playground-completion/')).map(({ body }) => body),
    async liveTools() {
      const answer = await fetch(`${demo.url}/demo/live-tools`, { headers: { authorization: 'Bearer demo' } });
      return (await answer.json()) as Record<string, number>;
    },
    async close() {
      await opened.close();
      await outbound.close();
      await server.close();
      await proxy.close();
      await demo.close();
    },
  };
}

export function specOf(spec: Partial<TestSpec>): TestSpec {
  const caller = { goal: 'Book a cleaning', opening: "I'd like to book a cleaning.", facts: {}, style: '', script: [] };
  return { caller, fixtures: [], criteria: [], maxTurns: 10, tier: 'text', ...spec };
}

async function capture({ deps, database }: PipelineDeps, baseUrl: string, providerAgentId: string, agent: StoredAgent) {
  const adapter = deps.platforms.adapter('demo');
  const connection = { baseUrl, apiKey: 'demo' };
  const listed = await adapter.listVersions(connection, providerAgentId);
  const versions = await Promise.all(listed.map((one) => adapter.captureVersion(connection, providerAgentId, one)));
  await storeVersions(database.within(agent.workspaceId), agent, versions);
}
