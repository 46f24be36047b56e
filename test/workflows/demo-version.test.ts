import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { ensureDemoAgents } from '../../src/operations/setup/demo-agents.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { World } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('another version of a copied demo agent', () => {
  let worked: WorkedWorld;
  let world: World;
  let platform: DemoPlatform;
  let sharedId: string;
  let copyId: string;

  beforeAll(async () => {
    platform = await startDemoPlatform({ port: 0, now: new Date() });
    worked = await startWorkedWorld(address, platform.url);
    world = worked.world;
    const { database } = world;
    const { agents } = await ensureDemoAgents({
      database,
      vault: world.services.vault,
      demoUrl: platform.url,
      demoAgents: DEMO_AGENTS.slice(0, 1),
      polling: { polls: false, pollSeconds: 60 },
    });
    sharedId = agents[0]?.agentId ?? '';
    copyId = agents.find(({ workspaceId }) => workspaceId === world.workspaceId)?.agentId ?? '';
    await untilTrue(async () => (await deliver()) && (await groupedImports()) === 2, 150_000);
  }, 480_000);
  afterAll(async () => {
    await worked?.close();
    await platform?.close();
  });

  const deliver = async () => (await sendOutbox({ database: world.database, temporal: worked.temporal.gateway })) >= 0;

  async function groupedImports(): Promise<number> {
    const { rows } = await sql<{ done: number }>`
      select count(*)::int as done from imports i join agents a on a.id = i.agent_id
      where i.kind = 'first' and i.status = 'complete' and a.grouped_revision >= a.evidence_revision`.execute(
      world.database.em().getKysely(),
    );
    return rows[0]?.done ?? 0;
  }

  const versionsOf = async (agentId: string) => (await world.get(`/v1/agents/${agentId}/versions`)).body.data;
  const comparisonsOf = async (agentId: string) => (await world.get(`/v1/agents/${agentId}/comparisons`)).body.data;
  const publish = async () => world.ask('POST', `/app/agents/${copyId}/demo/next-version`, { as: await world.token() });

  async function untilCompared(version: number): Promise<void> {
    await untilTrue(async () => {
      await deliver();
      const found = (await comparisonsOf(copyId)).find((one: { toVersion: number }) => one.toVersion === version);
      return found !== undefined && found.result.callsAfter >= 30;
    });
  }

  test('each order publishes one: captured, with its changes, its calls and a comparison', async () => {
    expect((await versionsOf(copyId)).map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
    for (const version of [4, 5]) {
      const ordered = await publish();
      expect(ordered).toMatchObject({ status: 200, body: { object: 'demo_version_order', agentId: copyId } });
      await untilCompared(version);
    }
    const versions = await versionsOf(copyId);
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([5, 4, 3, 2, 1]);
    expect(versions.every(({ configCaptured }: { configCaptured: boolean }) => configCaptured)).toBe(true);
    expect(versions[0].isCurrent).toBe(true);

    const [toFive, toFour] = await comparisonsOf(copyId);
    expect(toFour).toMatchObject({ fromVersion: 3, toVersion: 4, configCaptured: { from: true, to: true } });
    expect(toFour.changes.map(({ location }: { location: { id: string } }) => location.id)).toContain('node_fees');
    expect(toFive).toMatchObject({ fromVersion: 4, toVersion: 5 });
    expect(toFive.changes.map(({ location }: { location: { id: string } }) => location.id)).toEqual([
      'tool_find_patient',
    ]);
    expect(toFive.result.conclusion).toBe('worsened');
    expect(toFive.result.narrative).toContain('“Tool failed” at find_patient went from 0.0 % to');
  }, 300_000);

  test('the shared agent stays as it was, and so does its copy in another workspace', async () => {
    expect((await versionsOf(sharedId)).map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
    const answer = await fetch(`${platform.url}/list-agent-versions/${DEMO_AGENTS[0]?.providerAgentId}`, {
      headers: { authorization: 'Bearer demo-0190c0de-0000-7000-8000-000000000001' },
    });
    expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(3);
  });
});
