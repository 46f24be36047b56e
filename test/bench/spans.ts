import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchOptions, type BenchResult, round, timed } from './measure.ts';
import { type RunWorld, withRunWorld } from './runs/world.ts';
import { type SentCall, SPANS_A_CALL, sentCall } from './spans/calls.ts';
import { OwnIngest } from './spans/own-ingest.ts';
import { Phoenix, phoenixProgram } from './spans/phoenix.ts';
import { childNamed, parentOf, spentACall, spentBy } from './spans/processor-time.ts';
import { sendCalls } from './spans/send.ts';

export const GOAL = '80 × the calls a second of Arize Phoenix';

const CALLS = 2_000;
/** Of these Phoenix is sent the first: it takes each as long as the one before. */
const CALLS_OF_PHOENIX = 200;
const WARM_UP = 20;
const KILLED_CALLS = 120;
const RATIO_MIN = 80;
const QUIET_MS = 120_000;
const KILL_QUIET_MS = 40_000;
const LOOK_EVERY_MS = 2_000;

interface Measured {
  /** From the first request until every call is listed. */
  ms: number;
  listed: number;
  /** Milliseconds of processor time, by whose they are. */
  processorMsACall: string;
  afterKill: { answered: number; listed: number };
}

/**
 * Metrics 8 and 29: the same spans, 25 a call and a request a call, sent to our API and to Arize Phoenix on the same
 * PostgreSQL, until the list shows every call: ours shows those that are read. Then each is killed while it answers and started again: what was answered
 * is looked for. The minute that we wait for late spans is passed over, once all are sent.
 * Phoenix comes from a folder named by EARSHOT_BENCH_PHOENIX, in which it was installed by pip.
 */
export async function run({ sizes: given = [] }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const size = given[0] ?? CALLS;
  const calls = Array.from({ length: WARM_UP + size + KILLED_CALLS }, (_, number) => sentCall(number));
  const parts = {
    warmUp: calls.slice(0, WARM_UP),
    measured: calls.slice(WARM_UP, WARM_UP + size),
    killed: calls.slice(WARM_UP + size),
  };
  const sizeOfPhoenix = Math.min(size, CALLS_OF_PHOENIX);
  const found = phoenixProgram();
  return withRunWorld(async (world) => {
    const ours = await measureOurs(world, parts);
    const theirs =
      'program' in found
        ? await measurePhoenix(world, found.program, { ...parts, measured: parts.measured.slice(0, sizeOfPhoenix) })
        : null;
    const misses = missesOf('Ours', size, ours);
    if (ours.afterKill.listed < ours.afterKill.answered)
      misses.push(`Of ${ours.afterKill.answered} answered calls ${ours.afterKill.listed} are listed after the kill.`);
    const ratio = theirs ? round(theirs.ms / sizeOfPhoenix / (ours.ms / size), 1) : null;
    if (theirs) misses.push(...missesOf('Phoenix', sizeOfPhoenix, theirs));
    if (ratio !== null && ratio < RATIO_MIN)
      misses.push(`Calls a second are ${ratio} of Phoenix's, under ${RATIO_MIN}.`);
    return {
      metric: 'spans',
      sizes: theirs ? [size, sizeOfPhoenix] : [size],
      ours: [round(ours.ms, 0)],
      baseline: theirs ? [round(theirs.ms, 0)] : [],
      ratio: ratio === null ? [] : [ratio],
      exponent: null,
      counters: {
        spansACall: SPANS_A_CALL,
        callsASecond: round((size / ours.ms) * 1000, 1),
        answeredASecond: round((size / ours.answeredMs) * 1000, 1),
        processorMsACall: ours.processorMsACall,
        processorMsACallOfPhoenix: theirs ? theirs.processorMsACall : '-',
        callsASecondOfPhoenix: theirs ? round((sizeOfPhoenix / theirs.ms) * 1000, 2) : '-',
        afterKill: ofAnswered(ours),
        afterKillOfPhoenix: theirs ? ofAnswered(theirs) : '-',
        partial: 'missing' in found ? found.missing : 'no',
      },
      ok: misses.length === 0,
      misses,
    };
  });
}

interface Parts {
  warmUp: SentCall[];
  measured: SentCall[];
  killed: SentCall[];
}

async function measureOurs(world: RunWorld, { warmUp, measured, killed }: Parts) {
  const worker = await world.startWorker({ conversations: 1 });
  const own = await OwnIngest.open(world, warmUp.length + measured.length + killed.length);
  try {
    await sendCalls(own, warmUp);
    await own.passWait();
    await own.untilRead(warmUp.length, QUIET_MS);
    const database = await databaseServer(world);
    const pids = {
      API: own.pid,
      worker: worker.child.pid ?? 0,
      Temporal: childNamed('temporal'),
      PostgreSQL: database,
    };
    const spent = spentBy(pids);
    const spentBefore = spent();
    const start = performance.now();
    const answeredMs = await timed(() => sendCalls(own, measured));
    await own.passWait();
    const before = warmUp.length + measured.length;
    await own.untilRead(before, QUIET_MS);
    const ms = performance.now() - start;
    const processorMsACall = spentACall(spentBefore, spent(), measured.length);
    const listed = await own.listed(measured);
    const answered = await sendCalls(own, killed, (count) => {
      if (count === killed.length / 2) own.kill();
    });
    await own.startAgain();
    await own.passWait();
    const afterKill = { answered: answered.length, listed: await listedAtLast(own, answered) };
    return { ms, answeredMs, processorMsACall, listed, afterKill };
  } finally {
    await own.stopAgain();
    await worker.stop();
  }
}

async function measurePhoenix(world: RunWorld, program: string, { warmUp, measured, killed }: Parts) {
  const phoenix = await Phoenix.open(program, world.database);
  try {
    await sendCalls(phoenix, warmUp);
    await phoenix.untilStored(warmUp.length, QUIET_MS);
    const before = warmUp.length + measured.length;
    const database = await databaseServer(world);
    const spent = spentBy({ Phoenix: phoenix.pid, PostgreSQL: database });
    const spentBefore = spent();
    const ms = await timed(async () => {
      await sendCalls(phoenix, measured);
      await phoenix.untilStored(before, QUIET_MS);
    });
    const processorMsACall = spentACall(spentBefore, spent(), measured.length);
    const listed = await phoenix.listed(measured);
    const answered = await sendCalls(phoenix, killed, (count) => {
      if (count === killed.length / 2) void phoenix.kill('SIGKILL');
    });
    await phoenix.start();
    const afterKill = { answered: answered.length, listed: await listedAtLast(phoenix, answered) };
    return { ms, processorMsACall, listed, afterKill };
  } finally {
    await phoenix.close(world.database);
  }
}

/** How many of these are listed once all are, or nothing more came for a while. */
async function listedAtLast(receiver: OwnIngest | Phoenix, calls: readonly SentCall[]): Promise<number> {
  let before = -1;
  for (let quietSince = Date.now(); ; await sleep(LOOK_EVERY_MS)) {
    const listed = await receiver.listed(calls);
    if (listed === calls.length) return listed;
    if (listed !== before) quietSince = Date.now();
    else if (Date.now() - quietSince > KILL_QUIET_MS) return listed;
    before = listed;
  }
}

async function databaseServer({ database }: RunWorld): Promise<number> {
  const { rows } = await database.client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return parentOf(rows[0]?.pid ?? 0);
}

const missesOf = (who: string, size: number, { listed }: Measured) =>
  listed === size ? [] : [`${who}: of ${size} calls ${listed} are listed.`];

const ofAnswered = ({ afterKill: { answered, listed } }: Measured) => `${listed} of ${answered} answered`;
