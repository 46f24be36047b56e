import { execFileSync } from 'node:child_process';
import { killPostgres, type RunningPostgres, startPostgres } from '../../packages/embedded/postgres.ts';
import { sendSignal, waitForEnd } from '../../packages/embedded/processes.js';
import { killTemporal, type RunningTemporal, startTemporal } from '../../packages/embedded/temporal.ts';
import { getTemporalBinary } from '../../packages/embedded/temporal-source.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openOwnedDatabase } from '../support/owned-database.ts';
import { lastingPort } from '../support/ports.ts';
import { layCluster } from '../support/prepared-cluster.ts';
import type { SmallDisk } from '../support/small-disk.ts';
import { openTestFolder } from '../support/test-folder.ts';
import { type WorkerMachine, workersOn } from './worker-machine.ts';

/** PostgreSQL, Temporal and workers as processes of their own, which a test may end at any moment. */
export interface Machine extends WorkerMachine {
  databaseUrl(): string;
  temporalAddress(): string;
  temporalPid(): number;
  folder: string;
  /** What the servers write to; null where it can't be filled. */
  disk: SmallDisk | null;
  killPostgres(): Promise<void>;
  startPostgres(): Promise<void>;
  /** Stops or goes on with every process of the server, its connections' too. */
  signalPostgres(signal: 'SIGSTOP' | 'SIGCONT'): void;
  killTemporal(): Promise<void>;
  startTemporal(): Promise<void>;
  signalTemporal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** @param diskBytes has the servers write to a disk of that size, where this machine lets us mount one. */
export async function startMachine(diskBytes?: number): Promise<Machine> {
  const folder = openTestFolder(diskBytes);
  const killServers = () => {
    killTemporal(folder.path);
    killPostgres(folder.path);
  };
  process.once('exit', killServers);
  const isMigrated = await layCluster(folder.path);
  const runPostgres = () => startPostgres({ dataFolder: folder.path, database: 'earshot' });
  // Not the usual ports: another server of this machine may be about to take them.
  const [port, uiPort] = [await lastingPort(), await lastingPort()];
  const binary = async () => (await getTemporalBinary(() => {})).path;
  const runTemporal = () => startTemporal({ dataFolder: folder.path, binary, port, uiPort });
  let [postgres, temporal]: [RunningPostgres, RunningTemporal] = await Promise.all([runPostgres(), runTemporal()]);
  if (!isMigrated) await migrate(postgres.url);
  const database = await openOwnedDatabase({
    url: postgres.url,
    poolMax: 4,
    applicationName: 'earshot-test',
    statementTimeoutMs: 0,
    onIdleError: () => {},
  });
  const workers = await workersOn(() => ({
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    EARSHOT_DATA: folder.path,
  }));

  return {
    database,
    folder: folder.path,
    disk: folder.disk,
    databaseUrl: () => postgres.url,
    temporalAddress: () => temporal.address,
    temporalPid: () => temporal.pid,
    startWorker: workers.start,
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
      workers.kill();
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
