import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { storeVersions } from '../../src/db/versions/versions.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { AGENT_COORDINATOR, COORDINATOR_SIGNALS, coordinatorId } from '../../src/temporal/agent-coordinator.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { type BenchOptions, type BenchResult, exponentOf, median, round, timed } from './measure.ts';
import { historyOf } from './runs/histories.ts';
import { CONFIGURATION, type RunWorld, withRunWorld } from './runs/world.ts';
import { type ServerProcess, startServer } from './servers.ts';
import { childNamed, parentOf, spentACall, spentBy } from './spans/processor-time.ts';

export const GOAL =
  '6 × workflows with one empty activity; 2 activities and 15 events a poll; a call analysed in an interval and 5 s';

const DEFAULT_SIZES = [50, 200];
const RATIO_MAX = 6;
const EVENTS_MAX = 15;
const ACTIVITIES_MAX = 2;
const LATE_MAX_S = 5;
/** Agents of one platform account. */
const AGENTS_OF_A_KEY = 25;
/** No coordinator polls of itself while all are told to. */
const NEVER_SECONDS = 86_400;
/** The interval of the product. */
const DEFAULT_INTERVAL_S = 60;
/** Of what it can take at most, how much is asked of it while calls come in. */
const SHARE = 0.5;
const INTERVALS_WATCHED = 3;
const CALLS_RUNG = 20;
const LONGEST_MS = 1_800_000;

interface Fleet {
  world: RunWorld;
  platform: ServerProcess;
  agents: StoredAgent[];
}

/**
 * Agents whose platform has nothing new, on one worker. All are told to poll at once: polls a second, against workflows with one
 * empty activity on the same server. Then they poll by themselves as often as half of that allows: how late each poll is, and how
 * long after its end a call is analysed. Instead of 5,000 agents for a minute, fewer for a shorter interval: what counts is polls
 * a second.
 */
export async function run({ sizes: given = [], rounds = 2 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withRunWorld(async (world) => {
    const platform = await startServer('test/bench/servers/many-agents.ts', {});
    const fleet: Fleet = { world, platform, agents: [] };
    const seen: Awaited<ReturnType<typeof measure>>[] = [];
    try {
      for (const size of sizes) {
        await enlist(fleet, size);
        seen.push(await measure(fleet, rounds));
      }
    } finally {
      await platform.stop();
    }
    return toResult(sizes, seen);
  });
}

interface Measured {
  /** Milliseconds until all agents were polled once, and until as many workflows with one empty activity ended. */
  waves: { ours: number; floor: number }[];
  pollsASecond: number;
  intervalS: number;
  perPoll: { events: number; activities: number; requests: number; spent: string };
  /** Seconds by which polls came later than the interval, 95th percentile. */
  lateS: number;
  /** Seconds from a call's end at the platform to its analysis, the longest. */
  analysedS: number;
}

async function measure(fleet: Fleet, rounds: number): Promise<Measured> {
  const { length } = fleet.agents;
  const waves = await withWorker(fleet, NEVER_SECONDS, async () => {
    await wave(fleet);
    return inTurns(fleet, rounds);
  });
  const pollsASecond = length / (median(waves.map(({ ours }) => ours)) / 1000);
  const intervalS = Math.max(1, Math.ceil(length / (SHARE * pollsASecond)));
  const byThemselves = await withWorker(fleet, intervalS, (worker) => watch(fleet, intervalS, worker));
  return { waves, pollsASecond, intervalS, ...byThemselves };
}

/** Agents in workspaces of their own, with one version and a bookmark: nothing is left to import. */
async function enlist({ world, platform, agents }: Fleet, size: number): Promise<void> {
  const vault = createVault(TEST_SECRET);
  const em = world.database.em();
  for (let at = agents.length; at < size; at += 1) {
    const account = Math.floor(at / AGENTS_OF_A_KEY);
    const agent = await storeAgent(em, vault, {
      provider: 'retell',
      baseUrl: platform.url,
      providerAgentId: `agent_${at}`,
      apiKey: `key_${account}`,
    });
    await storeVersions(world.database.within(agent.workspaceId), agent, [
      {
        version: 1,
        providerRef: null,
        isCurrent: true,
        changedAt: null,
        document: { agent_id: `agent_${at}`, version: 1 },
        configuration: CONFIGURATION,
      },
    ]);
    agents.push(agent);
  }
  await sql`update workspaces set plan = 'enterprise'`.execute(em.getKysely());
  await sql`update agents set bookmark_at = now() where bookmark_at is null`.execute(em.getKysely());
}

/** A worker whose coordinators poll at an interval, from when all of them are open. */
async function withWorker<T>(fleet: Fleet, seconds: number, work: (worker: ServerProcess) => Promise<T>): Promise<T> {
  const { world, agents } = fleet;
  const { EARSHOT_NO_POLL: _, ...env } = world.env;
  const worker = await startServer('activities/worker.ts', {
    ...env,
    EARSHOT_POLL_SECONDS: String(seconds),
    EARSHOT_CACHED_WORKFLOWS: String(Math.min(10_000, 300 + agents.length)),
  });
  const { client } = world.temporal.gateway;
  const query = `WorkflowType = '${AGENT_COORDINATOR}' and ExecutionStatus = 'Running'`;
  try {
    await untilTrue(async () => (await client.workflow.count(query)).count >= agents.length, LONGEST_MS);
    return await work(worker);
  } finally {
    await worker.stop();
  }
}

async function inTurns(fleet: Fleet, rounds: number): Promise<Measured['waves']> {
  const bareFlow = await startServer('test/bench/servers/no-op-flow.ts', fleet.world.env);
  const waves: Measured['waves'] = [];
  try {
    await bareWave(fleet);
    for (let at = 0; at < rounds; at += 1) waves.push({ ours: await wave(fleet), floor: await bareWave(fleet) });
  } finally {
    await bareFlow.stop();
  }
  return waves;
}

/** Tells all coordinators to poll, and waits until each has. */
async function wave({ world, agents }: Fleet): Promise<number> {
  const { client } = world.temporal.gateway;
  const begun = await pollsDone(world);
  return timed(async () => {
    const messageId = newId();
    for (const { agentId } of agents)
      await client.workflow.getHandle(coordinatorId(agentId)).signal(COORDINATOR_SIGNALS.poll, { messageId });
    await untilTrue(async () => (await pollsDone(world)) >= begun + agents.length, LONGEST_MS);
  });
}

async function bareWave({ world, agents }: Fleet): Promise<number> {
  const { client } = world.temporal.gateway;
  const flow = (at: number) => ({ taskQueue: 'bench-no-op', workflowId: `no-op/${at}/${newId()}` });
  return timed(async () => {
    const started = [];
    for (const at of agents.keys()) started.push(await client.workflow.start('noOp', flow(at)));
    await Promise.all(started.map((handle) => handle.result()));
  });
}

/** A poll that found nothing leaves its row to the next one, whose try it is. */
async function pollsDone({ database }: RunWorld): Promise<number> {
  const { rows } = await database.client.query<{ done: string }>(
    `select coalesce(sum(attempt), 0) as done from imports where kind = 'poll' and status = 'complete'`,
  );
  return Number(rows[0]?.done ?? 0);
}

/** Polls that come by themselves, while calls end at some agents. */
async function watch(
  fleet: Fleet,
  intervalS: number,
  worker: ServerProcess,
): Promise<Omit<Measured, 'waves' | 'pollsASecond' | 'intervalS'>> {
  const { world, platform, agents } = fleet;
  await sleep(intervalS * 1000);
  const { rows } = await world.database.client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const spent = spentBy({
    Temporal: childNamed('temporal'),
    PostgreSQL: parentOf(rows[0]?.pid ?? 0),
    worker: worker.child.pid ?? 0,
  });
  const [before, from, requests, polls] = [
    spent(),
    Date.now(),
    (await logOf(platform)).requests,
    await pollsDone(world),
  ];
  const [first] = agents;
  const history = await historyOf(world, coordinatorId(first?.agentId ?? ''));
  await sleep(INTERVALS_WATCHED * intervalS * 1000);
  const done = Math.max(1, (await pollsDone(world)) - polls);
  const log = await logOf(platform);
  const after = await historyOf(world, coordinatorId(first?.agentId ?? ''));
  const ownPolls = (log.listedAt['agent_0'] ?? []).filter((ms) => ms >= from).length;
  const perPoll = {
    events: round((after.events - history.events) / ownPolls, 1),
    activities: round((after.activities - history.activities) / ownPolls, 1),
    requests: round((log.requests - requests) / done, 1),
    spent: spentACall(before, spent(), done),
  };
  return { perPoll, lateS: lateness(log.listedAt, from, intervalS), analysedS: await ringAll(fleet) };
}

interface PlatformLog {
  requests: number;
  listedAt: Record<string, number[]>;
}

const logOf = async ({ url }: ServerProcess) => (await (await fetch(`${url}/log`)).json()) as PlatformLog;

function lateness(listedAt: PlatformLog['listedAt'], from: number, intervalS: number): number {
  const late = Object.values(listedAt).flatMap((times) => {
    const own = times.filter((ms) => ms >= from);
    return own.slice(1).map((ms, at) => (ms - (own[at] ?? ms)) / 1000 - intervalS);
  });
  const sorted = late.toSorted((a, b) => a - b);
  return round(sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN, 2);
}

/** Ends a call at each of some agents, and waits until all are analysed. */
async function ringAll({ world, platform, agents }: Fleet): Promise<number> {
  const rung = Math.min(CALLS_RUNG, agents.length);
  const analysed = async () => {
    const { rows } = await world.database.client.query<{ calls: string }>(
      `select count(*) as calls from calls where state = 'analysed'`,
    );
    return Number(rows[0]?.calls ?? 0);
  };
  const before = await analysed();
  const ms = await timed(async () => {
    for (let at = 0; at < rung; at += 1) await fetch(`${platform.url}/ring/agent_${at}`, { method: 'POST' });
    await untilTrue(async () => (await analysed()) === before + rung, LONGEST_MS);
  });
  return round(ms / 1000, 1);
}

function toResult(sizes: number[], seen: readonly Measured[]): BenchResult {
  const ours = seen.map(({ waves }) => round(median(waves.map((wave) => wave.ours)), 0));
  const baseline = seen.map(({ waves }) => round(median(waves.map(({ floor }) => floor)), 0));
  const ratio = seen.map(({ waves }) => round(median(waves.map((wave) => wave.ours / wave.floor)), 2));
  const misses = seen.flatMap(missesOf);
  const last = seen.at(-1);
  const pollsASecond = last?.pollsASecond ?? 0;
  const worst = Math.max(...ratio);
  if (worst > RATIO_MAX)
    misses.push(`A poll takes ${worst} of a workflow with one empty activity, above ${RATIO_MAX}.`);
  return {
    metric: 'many-agents',
    sizes,
    ours,
    baseline,
    ratio,
    exponent: exponentOf(sizes, ours),
    counters: {
      pollsASecond: round(pollsASecond, 1),
      agentsAtOneMinute: Math.floor(pollsASecond * DEFAULT_INTERVAL_S),
      intervalS: last?.intervalS ?? 0,
      lateS: last?.lateS ?? 0,
      analysedS: last?.analysedS ?? 0,
      eventsAPoll: last?.perPoll.events ?? 0,
      activitiesAPoll: last?.perPoll.activities ?? 0,
      requestsAPoll: last?.perPoll.requests ?? 0,
      processorMsAPoll: last?.perPoll.spent ?? '-',
    },
    ok: misses.length === 0,
    misses,
  };
}

function missesOf({ perPoll, analysedS, intervalS }: Measured): string[] {
  const misses: string[] = [];
  if (perPoll.events > EVENTS_MAX) misses.push(`${perPoll.events} events a poll, above ${EVENTS_MAX}.`);
  if (perPoll.activities > ACTIVITIES_MAX)
    misses.push(`${perPoll.activities} activities a poll, above ${ACTIVITIES_MAX}.`);
  if (analysedS > intervalS + LATE_MAX_S)
    misses.push(
      `A call was analysed ${analysedS} s after its end, above an interval of ${intervalS} s and ${LATE_MAX_S} s.`,
    );
  return misses;
}
