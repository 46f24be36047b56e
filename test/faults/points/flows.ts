import { sql } from 'kysely';
import { type DemoPlatform, startDemoPlatform } from '../../../packages/demo-platform/server.ts';
import { insertErasure } from '../../../src/db/erasures/erasures.ts';
import { createImport } from '../../../src/db/imports/imports.ts';
import { insertTest } from '../../../src/db/tests/tests.ts';
import { createVault } from '../../../src/secrets.ts';
import { addToOutbox } from '../../../src/services/outbox/add-to-outbox.ts';
import { importEntry } from '../../../src/temporal/agent-coordinator.ts';
import { erasureEntry } from '../../../src/temporal/erase-data.ts';
import { runEntry } from '../../../src/temporal/run-tests.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../../support/pipeline.ts';
import { DEMO_NOW } from '../../support/playing.ts';
import { BOOKING, connectDemo } from '../../support/running.ts';
import { makeRun, type OwnedAgent } from '../../support/runs.ts';
import { retellCall, type StandInPlatform, startStandInPlatform } from '../../support/stand-in-platform.ts';
import type { Machine } from '../machine.ts';
import { snapshotOf } from '../snapshot.ts';
import type { Begun, Flow } from './flow.ts';

const CALLS = 12;
const CELLS = 2;
const ENDS = ['complete', 'failed', 'cancelled', 'refused'];
const vault = createVault(TEST_SECRET);

/** What the flows reach beside the product. */
export interface Platforms {
  calls: StandInPlatform;
  demo: DemoPlatform;
  close(): Promise<void>;
}

export async function startPlatforms(): Promise<Platforms> {
  const [calls, demo] = await Promise.all([startStandInPlatform(), startDemoPlatform({ port: 0, now: DEMO_NOW })]);
  for (let at = 0; at < CALLS; at += 1) {
    const shape = at % 2 === 0 ? { failingTool: 'check_availability' } : {};
    calls.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at, version: 1 + (at % 2), ...shape }));
  }
  return {
    calls,
    demo,
    close: async () => {
      await Promise.all([calls.close(), demo.close()]);
    },
  };
}

export function flowsOf({ database }: Machine, { calls, demo }: Platforms): Flow[] {
  const rows = async (query: ReturnType<typeof sql<Record<string, unknown>>>) =>
    (await query.execute(database.em().getKysely())).rows;
  const isEnded = async (table: 'imports' | 'runs', id: string) => {
    const [row] = await rows(sql`select status from ${sql.table(table)} where id = ${id}`);
    return ENDS.includes(String(row?.['status']));
  };
  const isGrouped = async (agentId: string) => {
    const [row] = await rows(sql`select evidence_revision = grouped_revision as so from agents where id = ${agentId}`);
    return row?.['so'] === true;
  };

  async function beginImport(): Promise<Begun & { agent: StoredAgent }> {
    const em = database.em();
    const agent = await storeAgent(em, vault, { provider: 'retell', baseUrl: calls.url });
    const { importId } = await em.transactional(async (tx) => {
      const made = await createImport(tx, { ...agent, kind: 'first', limit: null, from: null });
      await addToOutbox(tx, { entry: importEntry({ ...agent, pollSeconds: null }, made), ...agent });
      return made;
    });
    return {
      agent,
      isOver: async () => (await isEnded('imports', importId)) && (await isGrouped(agent.agentId)),
      left: () => snapshotOf(database, agent.agentId),
    };
  }

  async function beginErasure(): Promise<Begun> {
    const { agent, isOver, left } = await beginImport();
    await untilTrue(isOver, 120_000);
    return orderErasure(database, agent, left);
  }

  let player: Promise<{ agent: OwnedAgent; testIds: string[] }> | null = null;
  async function beginRun(): Promise<Begun> {
    player ??= makePlayer(database, demo);
    const { agent, testIds } = await player;
    const runId = await makeRun(database, agent, testIds, { version: 3, repeats: 1 });
    await addToOutbox(database.within(agent.workspaceId), { entry: runEntry({ ...agent, runId }), ...agent });
    return { isOver: () => isEnded('runs', runId), left: () => runLeft(rows, runId) };
  }

  return [
    { name: 'import', begin: beginImport },
    { name: 'erasure', begin: beginErasure },
    { name: 'run', begin: beginRun },
  ];
}

/** Erases half of an agent's calls. @param leftOf what there is of the agent */
export async function orderErasure(
  database: Machine['database'],
  agent: StoredAgent,
  leftOf: Begun['left'],
): Promise<Begun> {
  const { agentId, workspaceId } = agent;
  const em = database.em();
  const rows = async (query: ReturnType<typeof sql<Record<string, unknown>>>) =>
    (await query.execute(em.getKysely())).rows;
  const half = await rows(sql`select id from calls where agent_id = ${agentId} order by provider_call_id limit 6`);
  const callIds = half.map(({ id }) => String(id));
  const erasureId = await em.transactional(async (tx) => {
    const erased = { scope: 'calls', callIds, callerKey: null, sealedNumber: null, total: callIds.length } as const;
    const { id } = await insertErasure(tx, { ...agent, ...erased, reason: 'Asked for.', requestedBy: agentId });
    await addToOutbox(tx, { entry: erasureEntry({ erasureId: id, workspaceId, agentId }), ...agent });
    return id;
  });
  const report = () => rows(sql`select status, done, total, removed, message from erasures where id = ${erasureId}`);
  return {
    async isOver() {
      const [row] = await report();
      return ENDS.includes(String(row?.['status']));
    },
    left: async () => ({ report: await report(), agent: await leftOf() }),
  };
}

async function makePlayer(database: Machine['database'], demo: DemoPlatform) {
  const agent = await connectDemo(database, vault, demo.url);
  const testIds: string[] = [];
  for (let at = 1; at <= CELLS; at += 1) {
    const written = { source: 'written', lane: null, expect: 'pass', guard: false, createdBy: 'earshot' } as const;
    const made = { ...agent, ...written, title: `Books ${at}`, spec: BOOKING, sourceCallId: null, generatedFrom: null };
    testIds.push(await insertTest(database.within(agent.workspaceId), made));
  }
  return { agent, testIds };
}

async function runLeft(
  rows: (query: ReturnType<typeof sql<Record<string, unknown>>>) => Promise<Record<string, unknown>[]>,
  runId: string,
) {
  return {
    run: await rows(sql`select status, message, cells_done, platform_nano_usd::float8 as cost, summary
      from runs where id = ${runId}`),
    attempts: await rows(sql`select attempt, state, result, platform_nano_usd::float8 as cost
      from attempts where run_id = ${runId} order by cell_id, attempt`),
    steps: await rows(sql`select s.step, s.turns from attempt_steps s join attempts a on a.id = s.attempt_id
      where a.run_id = ${runId} and s.turns is not null order by a.cell_id, a.attempt, s.step`),
    budget: await rows(sql`select spent_nano_usd::float8 as spent, settled_at is not null as settled
      from budget_reservations where run_id = ${runId}`),
    documents: await rows(sql`select score from run_documents where run_id = ${runId}`),
  };
}
