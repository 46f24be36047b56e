import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { orderGraceLook } from '../../src/db/issues/grace.ts';
import { recomputeIssues } from '../../src/services/issues/recompute-issues.ts';
import { reconcileGrace } from '../../src/services/issues/reconcile-grace.ts';
import { GRACE_PROGRESS, type GraceProgress, graceId } from '../../src/temporal/grace-period.ts';
import { type DatedCall, many, readCalls } from '../support/evidence.ts';
import { sendOutbox } from '../support/outbox.ts';
import {
  openDeps,
  openNamespace,
  type PipelineDeps,
  type StoredAgent,
  startWorkers,
  storeAgent,
  type TestTemporal,
  untilTrue,
} from '../support/pipeline.ts';

const address = inject('temporalAddress');
/** Last seen so long ago that a grace period of one day ends in some seconds. */
const DUE_IN_SECONDS = 6;
const ALMOST_A_DAY = 1 - DUE_IN_SECONDS / 86_400;

describe.skipIf(address === null)('the grace period of issues on a real Temporal server', () => {
  let temporal: TestTemporal;
  let world: PipelineDeps;
  let stopWorkers: () => Promise<void>;
  let agent: StoredAgent;

  beforeAll(async () => {
    temporal = await openNamespace(address ?? '');
    world = await openDeps();
    stopWorkers = await startWorkers(world.deps, temporal);
  });
  afterAll(async () => {
    await stopWorkers?.();
    await world?.close();
    await temporal?.close();
  });
  beforeEach(async () => {
    agent = await storeAgent(world.database.em(), world.deps.vault, { provider: 'file', baseUrl: null });
    await setGraceDays(1);
  });

  const db = () => world.database.em().getKysely();
  const setGraceDays = (days: number) =>
    sql`update agents set grace_days = ${days} where id = ${agent.agentId}`.execute(db());
  const read = (...calls: DatedCall[]) => readCalls(world.database, agent, calls);
  const send = () => sendOutbox({ database: world.database, temporal: temporal.gateway });
  async function group(): Promise<void> {
    await recomputeIssues(world.database.within(agent.workspaceId), agent.agentId, 'incremental');
    await send();
  }
  async function status(): Promise<string> {
    const { rows } = await sql<{ status: string }>`
      select status from issues where agent_id = ${agent.agentId} and confirmed`.execute(db());
    return rows[0]?.status ?? 'none';
  }
  const becomes = (wanted: string, withinMs?: number) => untilTrue(async () => (await status()) === wanted, withinMs);
  const handle = () => temporal.gateway.client.workflow.getHandle(graceId(agent.agentId));
  const progress = () => handle().query<GraceProgress>(GRACE_PROGRESS);
  const untilItSays = (words: RegExp) => untilTrue(async () => words.test((await progress()).waitsFor));
  async function details(): Promise<string> {
    const metadata = await handle().query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails ?? '';
  }

  test('an issue that is due in seconds is resolved when its time comes, and not before', async () => {
    await read(...many(3, 'old', { daysAgo: ALMOST_A_DAY, shows: true }), { id: 'ok', daysAgo: 0.5 });
    await group();
    await untilItSays(/^Waits until (\d{4}-\d\d-\d\d )?\d\d:\d\d UTC/);
    expect(await status()).toBe('discovered');
    expect(await details()).toMatch(
      /Resolved then, if no call that starts before shows them:\n- .*UTC: .+, at book table/,
    );
    await becomes('resolved');
    const { rows } = await sql<{ early: boolean; attributes: number }>`
      select resolved_at < last_seen_at + interval '1 day' as early from issues where agent_id = ${agent.agentId}`.execute(
      db(),
    );
    expect(rows).toEqual([{ early: false }]);
    await untilItSays(/^No open issue/);
    const described = await handle().describe();
    expect(described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value])).toEqual(
      expect.arrayContaining([
        ['EarshotKind', 'grace'],
        ['EarshotAgent', agent.agentId],
        ['EarshotStage', 'idle'],
      ]),
    );
  });

  test('a later call brings it back, in the grouping that reads it', async () => {
    await read(...many(3, 'old', { daysAgo: ALMOST_A_DAY, shows: true }), { id: 'ok', daysAgo: 0.5 });
    await group();
    await becomes('resolved');
    await read({ id: 'again', daysAgo: 0, shows: true });
    await group();
    expect(await status()).toBe('regressed');
    await untilItSays(/^Nothing has a date\. 1 open, waiting for calls/);
  });

  test('evidence moves the date, and the workflow hears of it', async () => {
    await read(...many(3, 'old', { daysAgo: 0.9, shows: true }), { id: 'ok', daysAgo: 0.5 });
    await group();
    await untilItSays(/^Waits until/);
    const before = (await progress()).plan?.nextAt ?? '';
    await read({ id: 'new', daysAgo: 0.8, shows: true });
    await group();
    await untilTrue(async () => ((await progress()).plan?.nextAt ?? '') > before);
    expect(await status()).toBe('discovered');
  });

  test('a shorter grace period of the agent moves the date to now', async () => {
    await setGraceDays(7);
    await read(...many(3, 'old', { daysAgo: 3, shows: true }), { id: 'ok', daysAgo: 0.5 });
    await group();
    await untilItSays(/^Waits until \d{4}-\d\d-\d\d/);
    await setGraceDays(2);
    await orderGraceLook(world.database.within(agent.workspaceId), agent.agentId);
    await send();
    await becomes('resolved');
  });

  test('while a call of the grace period waits for its analysis it waits too, and says so', async () => {
    const late: DatedCall = { id: 'late', daysAgo: 0.4 };
    await read(
      ...many(3, 'old', { daysAgo: ALMOST_A_DAY, shows: true }),
      { id: 'ok', daysAgo: 0.5 },
      { ...late, waits: true },
    );
    await group();
    await untilTrue(async () => ((await progress()).plan?.waitForAnalysis ?? 0) === 1);
    expect(await details()).toContain('waiting for calls of its grace period to be analysed');
    expect(await status()).toBe('discovered');
    await read(late);
    await group();
    await becomes('resolved');
  });

  test('a workflow that was terminated is started again from the record', async () => {
    await read(...many(3, 'old', { daysAgo: ALMOST_A_DAY, shows: true }), { id: 'ok', daysAgo: 0.5 });
    await group();
    await handle().terminate('by a test');
    await reconcileGrace({ database: world.database, temporal: temporal.gateway });
    await becomes('resolved');
    await reconcileGrace({ database: world.database, temporal: temporal.gateway });
  });
});
