import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { DEMO_AGENTS, DEMO_API_KEY } from '../../packages/demo-platform/agents.ts';
import { CLINIC_AGENT_ID } from '../../packages/demo-platform/clinic/plan.ts';
import { PARCEL_AGENT_ID } from '../../packages/demo-platform/parcel/plan.ts';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { createImport } from '../../src/db/imports/imports.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { importEntry } from '../../src/temporal/agent-coordinator.ts';
import { sendOutbox } from '../support/outbox.ts';
import {
  openDeps,
  openNamespace,
  type PipelineDeps,
  startWorkers,
  storeAgent,
  type TestTemporal,
  untilTrue,
} from '../support/pipeline.ts';

const address = inject('temporalAddress');

/** What is to be concluded of each version against the one before it. */
const JUDGED: Record<string, string[]> = {
  [CLINIC_AGENT_ID]: ['2 insufficient_evidence', '3 improved'],
  [PARCEL_AGENT_ID]: ['5 worsened', '6 unclear'],
};

describe.skipIf(address === null)('from the demo platform to ranked issues', () => {
  let temporal: TestTemporal;
  let world: PipelineDeps;
  let platform: DemoPlatform;
  let stopWorkers: () => Promise<void>;

  beforeAll(async () => {
    [temporal, world, platform] = await Promise.all([
      openNamespace(address ?? ''),
      openDeps(),
      startDemoPlatform({ port: 0, now: new Date() }),
    ]);
    stopWorkers = await startWorkers(world.deps, temporal);
  });
  afterAll(async () => {
    await stopWorkers?.();
    await platform?.close();
    await world?.close();
    await temporal?.close();
  });

  test.each(DEMO_AGENTS)(
    'every call of $name is read, with its versions, and issues with quotes come out',
    async (demo) => {
      const em = world.database.em();
      const agent = await storeAgent(em, world.deps.vault, {
        provider: 'demo',
        baseUrl: platform.url,
        providerAgentId: demo.providerAgentId,
        apiKey: DEMO_API_KEY,
      });
      const request = await createImport(em, { ...agent, kind: 'first', limit: 1000, from: null });
      await addToOutbox(em, { entry: importEntry({ ...agent, pollSeconds: null }, request), ...agent });
      const startedAt = Date.now();
      await sendOutbox({ database: world.database, temporal: temporal.gateway });
      const row = async () => {
        const { rows } = await sql<
          Record<string, unknown>
        >`select * from imports where id = ${request.importId}`.execute(em.getKysely());
        return rows[0];
      };
      await untilTrue(async () => ['complete', 'failed'].includes(String((await row())?.['status'])), 100_000);
      const end = await row();
      process.stdout.write(`${demo.name}: ${String(end?.['analysed'])} calls in ${Date.now() - startedAt} ms\n`);
      expect(end).toMatchObject({ status: 'complete', failed: 0, waiting: 0, reason: null });
      expect(Number(end?.['analysed'])).toBe(Number(end?.['stored']));
      expect(Number(end?.['stored'])).toBeGreaterThan(100);

      const { rows: issues } = await sql<{ code: string; section: string }>`
      select code, section from issues where agent_id = ${agent.agentId} and section <> 'hidden'`.execute(
        em.getKysely(),
      );
      expect(issues.length).toBeGreaterThan(2);
      const { rows: versions } = await sql<{ captured: boolean }>`
      select config_captured as captured from agent_versions where agent_id = ${agent.agentId}`.execute(em.getKysely());
      expect(versions.length).toBeGreaterThanOrEqual(3);
      expect(versions.every(({ captured }) => captured)).toBe(true);

      const { rows: judged } = await sql<{ version: number; conclusion: string }>`
      select to_version as version, result ->> 'conclusion' as conclusion from comparisons
      where agent_id = ${agent.agentId} order by 1`.execute(em.getKysely());
      expect(judged.map(({ version, conclusion }) => `${version} ${conclusion}`)).toEqual(JUDGED[demo.providerAgentId]);
    },
  );
});
