import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { mergeIntents } from '../../src/db/intents/change-intents.ts';
import { findIntent } from '../../src/db/intents/read-intents.ts';
import { newId } from '../../src/ids.ts';
import { storeAnalyses } from '../../src/services/analysis/store-analyses.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { regroupEntry } from '../../src/temporal/agent-coordinator.ts';
import { makeAnalysis, makeCall } from '../support/analysed-calls.ts';
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
const CALLS = 2400;
const ASKED = ['I want to book a table', 'please cancel my reservation', 'what are your opening hours'];

describe.skipIf(address === null)('intents of an agent, on a real server', () => {
  let temporal: TestTemporal;
  let world: PipelineDeps;
  let agent: StoredAgent;
  let stopWorkers: () => Promise<void>;
  beforeAll(async () => {
    [temporal, world] = await Promise.all([openNamespace(address ?? ''), openDeps()]);
    agent = await storeAgent(world.database.em(), world.deps.vault, { provider: 'file', baseUrl: null });
    await storeHistory();
    stopWorkers = await startWorkers(world.deps, temporal);
  });
  afterAll(async () => {
    await stopWorkers?.();
    await world?.close();
    await temporal?.close();
  });

  async function storeHistory(): Promise<void> {
    const em = world.database.em();
    for (let at = 0; at < CALLS; at += 240) {
      const ids = Array.from({ length: 240 }, (_, add) => at + add);
      const { callIds } = await storeCalls(em, {
        ...agent,
        importId: newId(),
        vault: world.deps.vault,
        calls: ids.map((id) => ({ payload: { id }, call: makeCall({ providerCallId: `call-${id}` }) })),
      });
      const analyses = callIds.map((callId, index) => {
        const text = ASKED[index % 3] ?? '';
        return { callId, analysis: makeAnalysis({ objective: text, requests: [{ turn: 1, text }] }) };
      });
      await storeAnalyses(em, { ...agent, analyses });
    }
  }
  async function group(): Promise<void> {
    const coordinator = { ...agent, pollSeconds: null };
    const entry = regroupEntry(coordinator, { messageId: newId(), mode: 'incremental' });
    await addToOutbox(world.database.em(), { entry, ...agent });
    await sendOutbox({ database: world.database, temporal: temporal.gateway });
  }
  async function counts(): Promise<Record<string, number>> {
    const { rows } = await sql<{ slug: string; calls: number }>`select intent_slug as slug, count(*)::int as calls
      from calls where agent_id = ${agent.agentId} group by 1 order by 1`.execute(world.database.em().getKysely());
    return Object.fromEntries(rows.map(({ slug, calls }) => [slug, calls]));
  }
  async function intentOf(slug: string) {
    const { rows } = await sql<{ id: string }>`select id from intents where agent_id = ${agent.agentId}
      and kind = 'intent' and slug = ${slug}`.execute(world.database.em().getKysely());
    const row = await findIntent(
      world.database.em(),
      { workspaceId: agent.workspaceId, agentIds: [agent.agentId] },
      rows[0]?.id ?? newId(),
    );
    if (row === null) throw new Error(`There is no intent ${slug}.`);
    return row;
  }

  test('the grouping finds them over all calls, more than it looks at in one go', async () => {
    expect(await counts()).toEqual({ other: CALLS });
    await group();
    await untilTrue(async () => (await counts())['other'] === undefined);
    expect(await counts()).toEqual({ book_table: 800, cancel_reservation: 800, ask_about_opening_hours: 800 });
  });

  test('a merge of hundreds of calls goes on after its worker was stopped in the middle', async () => {
    const [from, into] = [await intentOf('ask_about_opening_hours'), await intentOf('book_table')];
    const by = { workspaceId: agent.workspaceId, personId: newId() };
    await world.database.em().transactional((tx) => mergeIntents(tx, from, into, by));
    await stopWorkers();
    await group();
    stopWorkers = await startWorkers(world.deps, temporal);
    await untilTrue(async () => ((await counts())['ask_about_opening_hours'] ?? 0) < 800);
    await stopWorkers();
    stopWorkers = await startWorkers(world.deps, temporal);
    await untilTrue(async () => (await counts())['ask_about_opening_hours'] === undefined);
    expect(await counts()).toEqual({ book_table: 1600, cancel_reservation: 800 });
    expect((await intentOf('book_table')).calls).toBe(1600);
  }, 300_000);
});
