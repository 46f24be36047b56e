import { sql } from 'kysely';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { storeVersions } from '../../src/db/versions/versions.ts';
import { newId } from '../../src/ids.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { sendOutbox } from './outbox.ts';
import { startWorkedWorld, type WorkedWorld } from './worked-world.ts';
import type { World } from './world.ts';

/** The API, the workers and the demo platform, with the agent of its dental practice in the workspace. */
export interface RunWorld {
  world: World;
  worked: WorkedWorld;
  agentId: string;
  /** Brings orders to Temporal from now on; until then whatever is started stays queued. */
  sendOutbox(): void;
  /** A test by its spec's caller and checks, made with the write key. @returns its id. */
  makeTest(title: string, asked: { opening: string; says: string | null }): Promise<string>;
  close(): Promise<void>;
}

export async function openRunWorld(temporalAddress: string | null): Promise<RunWorld> {
  const demo = await startDemoPlatform({ port: 0, now: new Date('2026-11-21T12:00:00Z') });
  const worked = await startWorkedWorld(temporalAddress, demo.url);
  const { world } = worked;
  const agentId = await connectDemo(world, demo.url);
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    world,
    worked,
    agentId,
    sendOutbox() {
      timer ??= setInterval(
        () => void sendOutbox({ database: world.database, temporal: worked.temporal.gateway }),
        100,
      );
    },
    async makeTest(title, { opening, says }) {
      const criterion =
        says === null ? { text: 'Is kind.' } : { text: `Says ${says}.`, check: { kind: 'said', text: says } };
      const spec = { caller: { goal: 'Ask.', opening, script: [] }, criteria: [criterion], maxTurns: 3 };
      const made = await world.ask('POST', `/v1/agents/${agentId}/tests`, {
        as: world.writeKey,
        body: { title, spec },
      });
      if (made.status !== 201) throw new Error(made.text);
      return made.body.id;
    },
    async close() {
      clearInterval(timer);
      await worked.close();
      await demo.close();
    },
  };
}

async function connectDemo(world: World, url: string): Promise<string> {
  const [agentId, connectionId] = [newId(), newId()];
  const providerAgentId = DEMO_AGENTS[0]?.providerAgentId ?? '';
  const db = world.database.em().getKysely();
  await sql`
    insert into platform_connections (id, workspace_id, platform, base_url, sealed_key)
    values (${connectionId}, ${world.workspaceId}, 'demo', ${url}, ${world.services.vault.seal('demo')})`.execute(db);
  await sql`
    insert into agents (id, workspace_id, connection_id, name, provider, provider_agent_id, source, setup_status)
    values (${agentId}, ${world.workspaceId}, ${connectionId}, 'Front desk', 'demo', ${providerAgentId}, 'demo', 'approved')
  `.execute(db);
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  const adapter = createPlatforms({ outbound, demoUrl: url }).adapter('demo');
  const connection = { baseUrl: url, apiKey: 'demo' };
  const listed = await adapter.listVersions(connection, providerAgentId);
  const versions = await Promise.all(listed.map((one) => adapter.captureVersion(connection, providerAgentId, one)));
  const agent = { workspaceId: world.workspaceId, agentId };
  await storeVersions(world.database.within(world.workspaceId), agent, versions);
  await outbound.close();
  return agentId;
}
