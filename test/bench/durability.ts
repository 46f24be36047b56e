import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/ids.ts';
import { type BenchOptions, type BenchResult, median, round } from './measure.ts';
import { playBare } from './runs/bare-loop.ts';
import { historiesOf, historyOf } from './runs/histories.ts';
import { playRun, storedRun } from './runs/play.ts';
import { CALLS_AN_ATTEMPT, foundOrder, STEPS_AN_ATTEMPT } from './runs/words.ts';
import { type RunWorld, withRunWorld } from './runs/world.ts';
import { startServer } from './servers.ts';

export const GOAL = '2 × a workflow with one empty activity; 15 events and 2 activities an attempt';

const CELLS = 50;
const EVENTS_MAX = 15;
const ACTIVITIES_MAX = 2;
const RATIO_MAX = 2;
const KILLED = { cells: 20, atOnce: 10, latencyMs: 50 };

/**
 * Metric 14: what durability costs an attempt. Alone on the machine: from the order to play it to its score, by the
 * history, less the same questions asked bare; beside a workflow with one activity that does nothing, on the same
 * server. Events and activities are counted in a run of fifty cells. Then a worker is killed in mid-conversation.
 */
export async function run({ sizes: given = [], rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const pairs = Math.max(rounds, ...given);
  const misses: string[] = [];
  return withRunWorld(async (world) => {
    const bareFlow = await startServer('test/bench/servers/no-op-flow.ts', world.env);
    const worker = await world.startWorker({ conversations: 1 });
    const seen: { ours: number; noOp: number; attempt: number; bare: number }[] = [];
    let counted: { events: number; activities: number };
    try {
      await playAlone(world, 0);
      await doNothing(world);
      for (let at = 1; at <= pairs; at += 1) {
        const attempt = await playAlone(world, at);
        const bare = await playBare(world.speakers, { orders: [foundOrder(at)], atOnce: 1 });
        const noOp = await doNothing(world);
        seen.push({ ours: attempt - bare, noOp, attempt, bare });
      }
      counted = await countEvents(world);
    } finally {
      await Promise.all([worker.stop(), bareFlow.stop()]);
    }
    const again = await killMidway(world, misses);
    const ratio = round(median(seen.map(({ ours, noOp }) => ours / noOp)), 2);
    const { events, activities } = counted;
    if (events > EVENTS_MAX) misses.push(`${events} events an attempt, above ${EVENTS_MAX}.`);
    if (activities > ACTIVITIES_MAX) misses.push(`${activities} activities an attempt, above ${ACTIVITIES_MAX}.`);
    if (ratio > RATIO_MAX)
      misses.push(
        `Beside the model calls an attempt takes ${ratio} of a workflow that does nothing, above ${RATIO_MAX}.`,
      );
    return {
      metric: 'durability',
      sizes: [pairs],
      ours: [round(median(seen.map(({ ours }) => ours)), 1)],
      baseline: [round(median(seen.map(({ noOp }) => noOp)), 1)],
      ratio: [ratio],
      exponent: null,
      counters: {
        eventsAnAttempt: events,
        activitiesAnAttempt: activities,
        attemptMs: round(median(seen.map(({ attempt }) => attempt)), 1),
        bareMs: round(median(seen.map(({ bare }) => bare)), 1),
        questionsAgainAfterKill: again,
      },
      ok: misses.length === 0,
      misses,
    };
  });
}

/** One attempt in a run of its own. @returns from the order to play it to its score. */
async function playAlone(world: RunWorld, number: number): Promise<number> {
  const agent = await world.makeAgent([foundOrder(number)]);
  await world.speakers.reset(0);
  const { runId } = await playRun(world, agent);
  const [, cells] = await historiesOf(world, runId, 1);
  return cells?.attemptsMs ?? Number.NaN;
}

async function doNothing(world: RunWorld): Promise<number> {
  const workflowId = `no-op/${newId()}`;
  await world.temporal.gateway.client.workflow.execute('noOp', { taskQueue: 'bench-no-op', workflowId });
  return (await historyOf(world, workflowId)).wholeMs;
}

async function countEvents(world: RunWorld): Promise<{ events: number; activities: number }> {
  const agent = await world.makeAgent(Array.from({ length: CELLS }, (_, at) => foundOrder(at)));
  await world.speakers.reset(0);
  const { runId } = await playRun(world, agent);
  const [, cells] = await historiesOf(world, runId, 1);
  return {
    events: round((cells?.events ?? 0) / CELLS, 1),
    // One more for all of them: the list of cells.
    activities: round(((cells?.activities ?? 0) - 1) / CELLS, 2),
  };
}

/** @returns how many questions were asked again. */
async function killMidway(world: RunWorld, misses: string[]): Promise<number> {
  const { cells, atOnce, latencyMs } = KILLED;
  const agent = await world.makeAgent(Array.from({ length: cells }, (_, at) => foundOrder(at)));
  await world.speakers.reset(latencyMs);
  const first = await world.startWorker({ conversations: atOnce });
  const playing = playRun(world, agent);
  const expected = cells * CALLS_AN_ATTEMPT;
  for (let asked = 0; asked < expected / 3; ) {
    await sleep(50);
    const { caller, agent: agents } = await world.speakers.log();
    asked = caller + agents;
  }
  first.child.kill('SIGKILL');
  const second = await world.startWorker({ conversations: atOnce });
  try {
    const { runId } = await playing;
    const log = await world.speakers.log();
    const again = log.caller + log.agent - expected;
    const stored = await storedRun(world, runId);
    if (again < 0 || again > atOnce)
      misses.push(`After the kill ${again} questions were asked again, above ${atOnce}.`);
    if (stored.steps !== cells * STEPS_AN_ATTEMPT) misses.push(`After the kill ${stored.steps} steps are stored.`);
    if (stored.passed !== cells) misses.push(`After the kill ${stored.passed} of ${cells} attempts passed.`);
    if (stored.platformCharges !== 1) misses.push(`Attempts are charged differently after the kill.`);
    return again;
  } finally {
    await second.stop();
  }
}
