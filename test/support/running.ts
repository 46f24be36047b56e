import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { createCaptureVersions } from '../../activities/import-calls/capture-versions.ts';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { insertTest } from '../../src/db/tests/tests.ts';
import { storeVersions } from '../../src/db/versions/versions.ts';
import type { TestSpec } from '../../src/domain/tests/spec.ts';
import { newId } from '../../src/ids.ts';
import { NO_MODELS } from '../../src/models/registry.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import type { Vault } from '../../src/secrets.ts';
import { BOOKING_LINES, booked, found, free } from './booking.ts';
import { sendOutbox } from './outbox.ts';
import type { OwnedDatabase } from './owned-database.ts';
import { untilTrue } from './pipeline.ts';
import { DEMO_NOW } from './playing.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import type { OwnedAgent } from './runs.ts';
import { startWorkedWorld, type WorkedWorld } from './worked-world.ts';
import type { Answered, Loose } from './world.ts';

/** The API, the product's workers and their starter, and a demo agent whose platform keeps what it is asked. */
export interface RunningWorld extends WorkedWorld {
  demo: DemoPlatform;
  proxy: RecordingProxy;
  /** Another demo agent of the workspace, with its versions. */
  makeAgent(): Promise<OwnedAgent>;
  /** A test that books a visit, changed as told. @returns its id */
  makeTest(agent: OwnedAgent, spec?: Partial<TestSpec>, made?: { gates?: boolean; title?: string }): Promise<string>;
  start(agent: OwnedAgent, body: object, as?: string): Promise<Answered>;
  /** Resolves when the run stands so; with the run. */
  until(agent: OwnedAgent, runId: string, isSo: (run: Loose) => boolean, withinMs?: number): Promise<Loose>;
  over(agent: OwnedAgent, runId: string): Promise<Loose>;
  result(agent: OwnedAgent, runId: string): Promise<Loose>;
  /** As an import or a poll does. */
  captureVersions(agent: OwnedAgent): Promise<{ captured: number }>;
  /** While false, no order is sent to Temporal. */
  sends: boolean;
}

/** A booking that the reception agent of the demo gets done; needs no model. */
export const BOOKING: TestSpec = {
  caller: {
    goal: 'Book a cleaning',
    opening: "I'd like to book a cleaning.",
    facts: {},
    style: '',
    script: BOOKING_LINES,
  },
  fixtures: [found, free, booked],
  criteria: [
    { id: 'books', text: 'Books the visit.', required: true, check: { kind: 'tool_called', tool: 'book_appointment' } },
  ],
  maxTurns: 10,
  tier: 'text',
};
export const NEVER: TestSpec['criteria'] = [
  { id: 'never', text: 'Calls nobody.', required: true, check: { kind: 'tool_called', tool: 'fax_the_moon' } },
];
export const OVER = ['complete', 'refused', 'failed'];

/** A demo agent with its versions; in a workspace of its own where none is named. */
export async function connectDemo(
  database: OwnedDatabase,
  vault: Pick<Vault, 'seal'>,
  baseUrl: string,
  inWorkspace?: string,
): Promise<OwnedAgent> {
  const db = database.em().getKysely();
  const [workspaceId, connectionId, agentId] = [inWorkspace ?? newId(), newId(), newId()];
  if (!inWorkspace) await sql`insert into workspaces (id, name) values (${workspaceId}, 'Workspace')`.execute(db);
  await sql`
    insert into platform_connections (id, workspace_id, platform, base_url, sealed_key)
    values (${connectionId}, ${workspaceId}, 'demo', ${baseUrl}, ${vault.seal('demo')})
  `.execute(db);
  const providerAgentId = DEMO_AGENTS[0]?.providerAgentId ?? '';
  await sql`
    insert into agents (id, workspace_id, connection_id, name, provider, provider_agent_id, source, setup_status)
    values (${agentId}, ${workspaceId}, ${connectionId}, 'Reception', 'demo', ${providerAgentId}, 'demo', 'approved')
  `.execute(db);
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  try {
    const adapter = createPlatforms({ outbound, demoUrl: baseUrl }).adapter('demo');
    const connection = { baseUrl, apiKey: 'demo' };
    const listed = await adapter.listVersions(connection, providerAgentId);
    const versions = await Promise.all(listed.map((one) => adapter.captureVersion(connection, providerAgentId, one)));
    await storeVersions(database.within(workspaceId), { workspaceId, agentId }, versions);
  } finally {
    await outbound.close();
  }
  return { workspaceId, agentId };
}

export async function openRunningWorld(temporalAddress: string | null): Promise<RunningWorld> {
  const demo = await startDemoPlatform({ port: 0, now: DEMO_NOW });
  const proxy = await startRecordingProxy(demo.url);
  const worked = await startWorkedWorld(temporalAddress, proxy.url);
  const { world, temporal } = worked;
  const db = () => world.database.em().getKysely();
  // Several agents of ours play the one of the platform, which only one of them could be connected to.
  await sql`alter table agents drop constraint agents_natural_key`.execute(db());

  const running: RunningWorld = {
    ...worked,
    demo,
    proxy,
    sends: true,
    makeAgent: () => connectDemo(world.database, world.services.vault, proxy.url, world.workspaceId),
    async makeTest(agent, spec = {}, { gates = false, title = 'Books a cleaning' } = {}) {
      const id = await insertTest(world.database.within(agent.workspaceId), {
        ...agent,
        title,
        source: 'written',
        lane: null,
        expect: 'pass',
        guard: false,
        spec: { ...BOOKING, ...spec },
        sourceCallId: null,
        generatedFrom: null,
        createdBy: 'earshot',
      });
      if (gates) await sql`update tests set gates = true, gate_reason = 'Stable.' where id = ${id}`.execute(db());
      return id;
    },
    async captureVersions(agent) {
      const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
      try {
        const platforms = createPlatforms({ outbound, demoUrl: proxy.url });
        const { database, services } = world;
        const deps = {
          analyser: services.analyser,
          database,
          vault: services.vault,
          platforms,
          models: NO_MODELS,
          isNamed: false,
          requestsASecond: null,
        };
        const captureVersions = createCaptureVersions(deps);
        return await new MockActivityEnvironment({ attempt: 1 }).run(captureVersions, agent);
      } finally {
        await outbound.close();
      }
    },
    start: (agent, body, as = world.writeKey) => world.ask('POST', `/v1/agents/${agent.agentId}/runs`, { as, body }),
    async until(agent, runId, isSo, withinMs = 60_000) {
      let run: Loose = null;
      await untilTrue(async () => {
        run = (await world.get(`/v1/agents/${agent.agentId}/runs/${runId}`)).body;
        return isSo(run);
      }, withinMs);
      return run;
    },
    over: (agent, runId) => running.until(agent, runId, ({ status }) => OVER.includes(status)),
    async result(agent, runId) {
      return (await world.get(`/v1/agents/${agent.agentId}/runs/${runId}/result`)).body;
    },
    async close() {
      stopped = true;
      await sending;
      await worked.close();
      await proxy.close();
      await demo.close();
    },
  };

  let stopped = false;
  const send = async () => {
    while (!stopped) {
      if (running.sends) await sendOutbox({ database: world.database, temporal: temporal.gateway }).catch(() => 0);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const sending = send();
  return running;
}
