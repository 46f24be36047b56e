import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killPostgres, type RunningPostgres, startPostgres } from '../../packages/embedded/postgres.ts';
import { sendSignal, waitForEnd } from '../../packages/embedded/processes.js';
import { killTemporal, type RunningTemporal, startTemporal } from '../../packages/embedded/temporal.ts';
import { getTemporalBinary } from '../../packages/embedded/temporal-source.ts';
import { migrate } from '../../src/db/migrate.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { killAtExit } from '../support/kill-at-exit.ts';
import { type OwnedDatabase, openOwnedDatabase } from '../support/owned-database.ts';
import { TEST_SECRET, testBundle } from '../support/pipeline.ts';
import { lastingPort } from '../support/ports.ts';
import type { SmallDisk } from '../support/small-disk.ts';
import { openTestFolder } from '../support/test-folder.ts';

const WORKER = fileURLToPath(new URL('../../activities/worker.ts', import.meta.url));

export interface WorkerProcess {
  child: ChildProcess;
  /** Standard error, for a test that fails. */
  said(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/** PostgreSQL, Temporal and workers as processes of their own, which a test may end at any moment. */
export interface Machine {
  database: OwnedDatabase;
  databaseUrl(): string;
  temporalAddress(): string;
  folder: string;
  /** What the servers write to; null where it can't be filled. */
  disk: SmallDisk | null;
  /** @param settings of its environment, beside those that it needs or instead of them. */
  startWorker(settings?: NodeJS.ProcessEnv): Promise<WorkerProcess>;
  killPostgres(): Promise<void>;
  startPostgres(): Promise<void>;
  /** Stops or goes on with every process of the server, its connections' too. */
  signalPostgres(signal: 'SIGSTOP' | 'SIGCONT'): void;
  killTemporal(): Promise<void>;
  startTemporal(): Promise<void>;
  signalTemporal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  close(): Promise<void>;
}

/** @param diskBytes has the servers write to a disk of that size, where this machine lets us mount one. */
export async function startMachine(diskBytes?: number): Promise<Machine> {
  const folder = openTestFolder(diskBytes);
  const killServers = () => {
    killTemporal(folder.path);
    killPostgres(folder.path);
  };
  process.once('exit', killServers);
  const workers = new Set<ChildProcess>();
  const runPostgres = () => startPostgres({ dataFolder: folder.path, database: 'earshot' });
  // Not the usual ports: another server of this machine may be about to take them.
  const [port, uiPort] = [await lastingPort(), await lastingPort()];
  const binary = async () => (await getTemporalBinary(() => {})).path;
  const runTemporal = () => startTemporal({ dataFolder: folder.path, binary, port, uiPort });
  let [postgres, temporal]: [RunningPostgres, RunningTemporal] = await Promise.all([runPostgres(), runTemporal()]);
  await migrate(postgres.url);
  const database = await openOwnedDatabase({
    url: postgres.url,
    poolMax: 4,
    applicationName: 'earshot-test',
    statementTimeoutMs: 0,
    onIdleError: () => {},
  });
  const bundle = await testBundle();

  return {
    database,
    folder: folder.path,
    disk: folder.disk,
    databaseUrl: () => postgres.url,
    temporalAddress: () => temporal.address,
    async startWorker(settings = {}) {
      const worker = await spawnWorker({
        ...bareEnvironment(),
        DATABASE_URL: postgres.url,
        TEMPORAL_ADDRESS: temporal.address,
        EARSHOT_SECRET: TEST_SECRET,
        EARSHOT_DATA: folder.path,
        EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
        EARSHOT_WORKFLOW_BUNDLE: bundle,
        EARSHOT_NO_POLL: '1',
        ...settings,
      });
      workers.add(worker.child);
      return worker;
    },
    async killPostgres() {
      postgres.kill();
      await waitForEnd(postgres.pid, 60_000);
    },
    async startPostgres() {
      postgres = await runPostgres();
    },
    // The first of the tree stops first, so that it makes no process meanwhile that would go on.
    signalPostgres: (signal) => {
      for (const pid of treeOf(postgres.pid)) sendSignal(pid, signal);
    },
    signalTemporal: (signal) => sendSignal(temporal.pid, signal),
    async killTemporal() {
      temporal.kill();
      await waitForEnd(temporal.pid, 60_000);
    },
    async startTemporal() {
      temporal = await runTemporal();
    },
    async close() {
      for (const child of workers) child.kill('SIGKILL');
      await database.close();
      await Promise.all([temporal.stop(), postgres.stop()]);
      process.off('exit', killServers);
      folder.remove();
    },
  };
}

/** A process, and all that it began. */
function* treeOf(root: number): Generator<number> {
  yield root;
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  for (const line of lines) {
    const [pid = 0, parent] = line.trim().split(/\s+/).map(Number);
    if (parent === root) yield pid;
  }
}

async function spawnWorker(env: NodeJS.ProcessEnv): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  killAtExit(child);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk).slice(-20_000);
  });
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code ?? -1));
  });
  const ready = new Promise<void>((resolve) => {
    if (child.stdout) createInterface({ input: child.stdout }).once('line', () => resolve());
  });
  await Promise.race([
    ready,
    ended.then((how) => {
      throw new Error(`The worker ended (${how}) before it was ready: ${said}`);
    }),
  ]);
  return { child, said: () => said, ended };
}
