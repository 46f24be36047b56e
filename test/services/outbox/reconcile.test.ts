import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { insertPublication, type PublicationKey } from '../../../src/db/drafts/publications.ts';
import { insertBacktest } from '../../../src/db/watches/backtests.ts';
import { insertWatch, setWatchState } from '../../../src/db/watches/watches.ts';
import { ANALYSER_VERSION } from '../../../src/domain/signals/analyser-version.ts';
import { newId } from '../../../src/ids.ts';
import { reconcileCoordinators } from '../../../src/services/agents/reconcile-coordinators.ts';
import { reconcilePublications } from '../../../src/services/drafts/reconcile-publications.ts';
import { reconcileGrace } from '../../../src/services/issues/reconcile-grace.ts';
import { renewReadings } from '../../../src/services/reanalyses/renew-readings.ts';
import { reconcileBacktests } from '../../../src/services/watches/reconcile-backtests.ts';
import { coordinatorId } from '../../../src/temporal/agent-coordinator.ts';
import { backtestId } from '../../../src/temporal/backtest-watch.ts';
import { NamespaceTakenError } from '../../../src/temporal/client.ts';
import { graceId } from '../../../src/temporal/grace-period.ts';
import { importWorkflowId } from '../../../src/temporal/import-calls.ts';
import { publicationId } from '../../../src/temporal/publish-draft.ts';
import { makeDraft } from '../../support/drafts.ts';
import { openNamespace, type TestTemporal } from '../../support/pipeline.ts';
import { captureVersion } from '../../support/runs.ts';
import { seedCalls } from '../../support/seed.ts';
import { writtenWatch } from '../../support/watches.ts';
import { createWorld, type Loose, type World } from '../../support/world.ts';

const address = inject('temporalAddress');

/** The record and a real server, without a worker: what is started stays as it was started. */
describe.skipIf(address === null)('what Temporal has lost', () => {
  let world: World;
  let temporal: TestTemporal;
  beforeAll(async () => {
    [world, temporal] = await Promise.all([createWorld(), openNamespace(address ?? '')]);
  });
  afterAll(async () => {
    await world?.close();
    await temporal?.close();
  });

  const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
    (await query.execute(world.database.em().getKysely())).rows;
  const handle = (workflowId: string) => temporal.gateway.client.workflow.getHandle(workflowId);
  const runOf = async (workflowId: string): Promise<string | null> =>
    handle(workflowId)
      .describe()
      .then(
        ({ runId, status }) => (status.name === 'RUNNING' ? runId : null),
        () => null,
      );
  const deps = (polling = { polls: true, pollSeconds: 60 }) => ({
    database: world.database,
    temporal: temporal.gateway,
    polling,
  });
  /** An agent that has been polled before. */
  async function polled(provider: 'retell' | 'file' = 'retell'): Promise<string> {
    const agentId = await world.makeAgent({ provider });
    await rows(sql`update agents set bookmark_at = now() where id = ${agentId}`);
    return agentId;
  }

  describe('of coordinators', () => {
    test('is started for each agent that is polled, and a second look leaves it as it is', async () => {
      const agentId = await polled();
      await reconcileCoordinators(deps());
      const first = await runOf(coordinatorId(agentId));
      expect(first).not.toBeNull();
      await reconcileCoordinators(deps());
      expect(await runOf(coordinatorId(agentId))).toBe(first);
    });

    test('is started again where it was ended from outside', async () => {
      const agentId = await polled();
      await reconcileCoordinators(deps());
      const first = await runOf(coordinatorId(agentId));
      await handle(coordinatorId(agentId)).terminate('for the test');
      await reconcileCoordinators(deps());
      const second = await runOf(coordinatorId(agentId));
      expect(second).not.toBeNull();
      expect(second).not.toBe(first);
    });

    test('is started for an agent whose calls are sent only while calls of it wait', async () => {
      const agentId = await polled('file');
      await reconcileCoordinators(deps());
      expect(await runOf(coordinatorId(agentId))).toBeNull();
      await seedCalls(world, agentId, [{ call: { providerCallId: 'waits' }, analysis: null }]);
      await reconcileCoordinators(deps());
      expect(await runOf(coordinatorId(agentId))).not.toBeNull();
    });

    test('is nothing for an agent that is being erased', async () => {
      const agentId = await polled();
      await rows(sql`update agents set erasing = true where id = ${agentId}`);
      await reconcileCoordinators(deps());
      expect(await runOf(coordinatorId(agentId))).toBeNull();
    });
  });

  test('of imports whose workflow ended without a word is told, and can be retried', async () => {
    const agentId = await polled();
    const [lost, open] = [newId(), newId()];
    for (const id of [lost, open]) {
      await rows(sql`
        insert into imports (id, workspace_id, agent_id, kind, status, updated_at)
        values (${id}, ${world.workspaceId}, ${agentId}, 'manual', 'queued', now() - interval '10 minutes')`);
      const workflowId = importWorkflowId(id, 1);
      await temporal.gateway.client.workflow.start('importCalls', { workflowId, taskQueue: 'nobody' });
    }
    await handle(importWorkflowId(lost, 1)).terminate('taken by another installation');
    await reconcileCoordinators(deps());
    const [ended, goesOn] = await rows(sql`
      select status, reason from imports where agent_id = ${agentId} order by id = ${open}`);
    expect(ended).toMatchObject({ status: 'failed', reason: expect.stringContaining('Retry it.') });
    expect(goesOn).toMatchObject({ status: 'queued', reason: null });
  });

  test('the namespace belongs to the first installation, and says so to another one', async () => {
    const { gateway, namespace } = temporal;
    expect((await gateway.standing()).installation).toBeNull();
    await gateway.bindTo('the first');
    await gateway.bindTo('the first');
    const refused = gateway.bindTo('another');
    await expect(refused).rejects.toThrow(NamespaceTakenError);
    await expect(refused).rejects.toThrow(`--namespace ${namespace} --data earshotInstallation=another`);
    expect(await gateway.standing()).toMatchObject({ namespace, installation: 'the first' });
    await gateway.bindTo('another', true);
    expect((await gateway.standing()).installation).toBe('another');
  });

  test('of grace periods is started where something waits for its time', async () => {
    const [waits, none] = [await world.makeAgent(), await world.makeAgent()];
    await rows(sql`update agents set grace_plan = '[]'::jsonb where id = ${waits}`);
    await reconcileGrace(deps());
    expect(await runOf(graceId(waits))).not.toBeNull();
    expect(await runOf(graceId(none))).toBeNull();
  });

  describe('of publications', () => {
    async function begun(ago: string): Promise<PublicationKey> {
      const agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent() };
      await captureVersion(world.database, agent);
      const key = { draftId: await makeDraft(world, agent), revision: 1, kind: 'publish' as const };
      const made = { ...key, ...agent, baseVersion: 1, requestedBy: world.personId };
      await insertPublication(world.database.within(world.workspaceId), made);
      await rows(sql`
        update draft_publications set updated_at = now() - ${ago}::interval where draft_id = ${key.draftId}`);
      return key;
    }
    const draft = async ({ draftId }: PublicationKey) =>
      (await rows(sql`select status, publish_failure as failure from drafts where id = ${draftId}`))[0];

    test('is started, but for one that moved within the last minute', async () => {
      const [quiet, young] = [await begun('2 minutes'), await begun('10 seconds')];
      await reconcilePublications(deps());
      expect(await runOf(publicationId(quiet))).not.toBeNull();
      expect(await runOf(publicationId(young))).toBeNull();
      expect(await draft(quiet)).toEqual({ status: 'publishing', failure: null });
    });

    test('one that was ended from outside comes to nothing, and its draft is free again', async () => {
      const key = await begun('2 minutes');
      await reconcilePublications(deps());
      await handle(publicationId(key)).terminate('for the test');
      await reconcilePublications(deps());
      expect(await draft(key)).toEqual({
        status: 'draft',
        failure: 'Its workflow was ended in Temporal. Look at the agent at the platform.',
      });
    });
  });

  describe('of backtests', () => {
    async function begun(ago: string) {
      const agentId = await world.makeAgent();
      const { workspaceId } = world;
      const em = world.database.within(workspaceId);
      const watchId = await insertWatch(em, writtenWatch({ workspaceId, agentId }));
      await insertBacktest(em, { workspaceId, agentId, watchId, revision: 1, createdBy: world.personId });
      await setWatchState(em, watchId, 'backtesting');
      await rows(sql`update backtests set updated_at = now() - ${ago}::interval where watch_id = ${watchId}`);
      return { watchId, revision: 1 };
    }
    const watch = async ({ watchId }: { watchId: string }) =>
      (
        await rows(sql`
          select w.state, b.status, b.reason from watches w join backtests b on b.watch_id = w.id
          where w.id = ${watchId}`)
      )[0];

    test('is started where nothing was heard of it, and not where it moved within the last minute', async () => {
      const [quiet, young] = [await begun('2 minutes'), await begun('10 seconds')];
      await reconcileBacktests(deps());
      expect(await runOf(backtestId(quiet))).not.toBeNull();
      expect(await runOf(backtestId(young))).toBeNull();
      expect(await watch(quiet)).toEqual({ state: 'backtesting', status: 'queued', reason: null });
    });

    test('one that was ended from outside fails with the reason, and its watch is a draft again', async () => {
      const key = await begun('2 minutes');
      await reconcileBacktests(deps());
      await handle(backtestId(key)).terminate('for the test');
      await reconcileBacktests(deps());
      const reason = 'Its workflow was ended in Temporal. Backtest the watch again.';
      expect(await watch(key)).toEqual({ state: 'draft', status: 'failed', reason });
    });
  });

  test('of readings: agents that nobody may write to are read anew, once, where an earlier analyser read them', async () => {
    const [demo, own] = [await world.makeAgent({ readOnly: true }), await world.makeAgent()];
    for (const agentId of [demo, own]) {
      await seedCalls(world, agentId, [{ call: { providerCallId: `of ${agentId}` }, analysis: {} }]);
      await rows(sql`update calls set analyser_version = ${ANALYSER_VERSION - 1} where agent_id = ${agentId}`);
    }
    expect(await renewReadings(world.database)).toBe(1);
    expect(await renewReadings(world.database)).toBe(0);
    expect(
      await rows(sql`
        select agent_id as "agentId", analyser_version as version, applies_itself as "appliesItself" from reanalyses`),
    ).toEqual([{ agentId: demo, version: ANALYSER_VERSION, appliesItself: true }]);
  });
});
