import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { storeVersions } from '../../src/db/versions/versions.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { ACCOUNT_POLLER, POLLER_SIGNALS, pollerId } from '../../src/temporal/account-poller.ts';
import { AGENT_COORDINATOR } from '../../src/temporal/agent-coordinator.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { type BenchOptions, type BenchResult, exponentOf, median, round, timed } from './measure.ts';
import { historyOf } from './runs/histories.ts';
import { CONFIGURATION, type RunWorld, withRunWorld } from './runs/world.ts';
import { type ServerProcess, startServer } from './servers.ts';
import { childNamed, parentOf, spentACall, spentBy } from './spans/processor-time.ts';

export const GOAL =
  '6 × workflows with one empty activity; 2 activities and 15 events a poll of an account; polls 5 s late at most; a call analysed in an interval and 5 s';

const DEFAULT_SIZES = [500, 2_000];
const RATIO_MAX = 6;
const EVENTS_MAX = 15;
const ACTIVITIES_MAX = 2;
const LATE_MAX_S = 5;
/** Agents of one platform account. */
const AGENTS_OF_AN_ACCOUNT = 25;
/** No poller looks of itself while all are told to. */
const NEVER_SECONDS = 86_400;
/** The interval of the product. */
const DEFAULT_INTERVAL_S = 60;
/** Of what it can take at most, how much is asked of it while calls come in. */
const SHARE = 0.5;
const INTERVALS_WATCHED = 3;
const CALLS_RUNG = 100;
const LONGEST_MS = 1_800_000;

interface Fleet {
  world: RunWorld;
  platform: ServerProcess;
  agents: StoredAgent[];
  /** Ids of connections, each of 25 agents. */
  accounts: string[];
}

/**
 * Agents whose platform has nothing new, 25 an account, on one worker. All accounts are told to be polled at once: polls a
 * second, against workflows with one empty activity on the same server. Then they are polled at the product's interval, or at
 * twice what the worker takes where that is longer: how late each poll is, and how long after its end a call is analysed.
 */
export async function run({ sizes: given = [], rounds = 2 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withRunWorld(async (world) => {
    const platform = await startServer('test/bench/servers/many-agents.ts', {});
    const fleet: Fleet = { world, platform, agents: [], accounts: [] };
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
  /** Requests with one key in a second, the most. */
  mostInASecond: number;
}

async function measure(fleet: Fleet, rounds: number): Promise<Measured> {
  const { length } = fleet.accounts;
  const waves = await withWorker(fleet, NEVER_SECONDS, async () => {
    await wave(fleet);
    return inTurns(fleet, rounds);
  });
  const pollsASecond = length / (median(waves.map(({ ours }) => ours)) / 1000);
  const intervalS = Math.max(DEFAULT_INTERVAL_S, Math.ceil(length / (SHARE * pollsASecond)));
  const byThemselves = await withWorker(fleet, intervalS, (worker) => watch(fleet, intervalS, worker));
  return { waves, pollsASecond, intervalS, ...byThemselves };
}

/** Accounts in workspaces of their own; agents with one version and a bookmark: nothing is left to import. */
async function enlist({ world, platform, agents, accounts }: Fleet, size: number): Promise<void> {
  const vault = createVault(TEST_SECRET);
  const em = world.database.em();
  for (let at = agents.length; at < size; at += 1) {
    const account = Math.floor(at / AGENTS_OF_AN_ACCOUNT);
    const before = at % AGENTS_OF_AN_ACCOUNT === 0 ? undefined : agents.at(-1)?.workspaceId;
    const made = {
      provider: 'retell',
      baseUrl: platform.url,
      providerAgentId: `agent_${at}`,
      apiKey: `key_${account}`,
    } as const;
    const agent = await storeAgent(em, vault, made, before, before === undefined ? undefined : accounts.at(-1));
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
    if (before === undefined) {
      const of = sql<{ id: string }>`select connection_id as id from agents where id = ${agent.agentId}`;
      accounts.push((await of.execute(em.getKysely())).rows[0]?.id ?? '');
    }
  }
  await sql`update workspaces set plan = 'enterprise'`.execute(em.getKysely());
  await sql`
    update agents set bookmark_at = now(), versions_taken_at = now() - random() * interval '1 hour'
    where bookmark_at is null`.execute(em.getKysely());
}

/** A worker whose pollers look at an interval, from when all workflows are open. */
async function withWorker<T>(fleet: Fleet, seconds: number, work: (worker: ServerProcess) => Promise<T>): Promise<T> {
  const { world, agents, accounts } = fleet;
  const { EARSHOT_NO_POLL: _, ...env } = world.env;
  const worker = await startServer('activities/worker.ts', {
    ...env,
    EARSHOT_POLL_SECONDS: String(seconds),
    EARSHOT_CACHED_WORKFLOWS: String(Math.min(10_000, 300 + agents.length)),
  });
  const { client } = world.temporal.gateway;
  const open = async (type: string) =>
    (await client.workflow.count(`WorkflowType = '${type}' and ExecutionStatus = 'Running'`)).count;
  try {
    await untilTrue(async () => (await open(AGENT_COORDINATOR)) >= agents.length, LONGEST_MS);
    await untilTrue(async () => (await open(ACCOUNT_POLLER)) >= accounts.length, LONGEST_MS);
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

/** Has all accounts polled, and waits until each agent's poll is noted. */
async function wave({ world, agents, accounts }: Fleet): Promise<number> {
  const { client } = world.temporal.gateway;
  const begun = await pollsDone(world);
  return timed(async () => {
    for (const id of accounts) await client.workflow.getHandle(pollerId(id)).signal(POLLER_SIGNALS.poll);
    await untilTrue(async () => (await pollsDone(world)) >= begun + agents.length, LONGEST_MS);
  });
}

async function bareWave({ world, accounts }: Fleet): Promise<number> {
  const { client } = world.temporal.gateway;
  const flow = (at: number) => ({ taskQueue: 'bench-no-op', workflowId: `no-op/${at}/${newId()}` });
  return timed(async () => {
    const started = [];
    for (const at of accounts.keys()) started.push(await client.workflow.start('noOp', flow(at)));
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
  const { world, platform, accounts } = fleet;
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
  const [first = ''] = accounts;
  const history = await historyOf(world, pollerId(first));
  await sleep(INTERVALS_WATCHED * intervalS * 1000);
  const done = Math.max(1, ((await pollsDone(world)) - polls) / AGENTS_OF_AN_ACCOUNT);
  const log = await logOf(platform);
  const after = await historyOf(world, pollerId(first));
  const ownPolls = (log.listedAt['agent_0'] ?? []).filter((ms) => ms >= from).length;
  const perPoll = {
    events: round((after.events - history.events) / ownPolls, 1),
    activities: round((after.activities - history.activities) / ownPolls, 1),
    requests: round((log.requests - requests) / done, 1),
    spent: spentACall(before, spent(), done),
  };
  const lateS = lateness(log.listedAt, from, intervalS);
  const analysedS = await ringAll(fleet);
  return { perPoll, lateS, analysedS, mostInASecond: (await logOf(platform)).mostInASecond };
}

interface PlatformLog {
  requests: number;
  listedAt: Record<string, number[]>;
  mostInASecond: number;
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
    for (let at = 0; at < rung; at += 1) {
      const nth = Math.floor((at * agents.length) / rung);
      await fetch(`${platform.url}/ring/agent_${nth}`, { method: 'POST' });
    }
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
      agentsAtOneMinute: Math.floor(pollsASecond * DEFAULT_INTERVAL_S) * AGENTS_OF_AN_ACCOUNT,
      mostInASecond: last?.mostInASecond ?? 0,
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

function missesOf({ perPoll, lateS, analysedS, intervalS }: Measured): string[] {
  const misses: string[] = [];
  if (perPoll.events > EVENTS_MAX) misses.push(`${perPoll.events} events a poll, above ${EVENTS_MAX}.`);
  if (perPoll.activities > ACTIVITIES_MAX)
    misses.push(`${perPoll.activities} activities a poll, above ${ACTIVITIES_MAX}.`);
  if (lateS > LATE_MAX_S) misses.push(`Polls came ${lateS} s late, above ${LATE_MAX_S}.`);
  if (analysedS > intervalS + LATE_MAX_S)
    misses.push(
      `A call was analysed ${analysedS} s after its end, above an interval of ${intervalS} s and ${LATE_MAX_S} s.`,
    );
  return misses;
}
