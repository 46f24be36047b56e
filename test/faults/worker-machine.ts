import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '../support/bare-environment.ts';
import { killAtExit } from '../support/kill-at-exit.ts';
import type { OwnedDatabase } from '../support/owned-database.ts';
import { TEST_SECRET, testBundle } from '../support/pipeline.ts';

const WORKER = fileURLToPath(new URL('../../activities/worker.ts', import.meta.url));

export interface WorkerProcess {
  child: ChildProcess;
  /** Standard error, for a test that fails. */
  said(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/** A database, and workers as processes of their own, which a test may end at any moment. */
export interface WorkerMachine {
  database: OwnedDatabase;
  /** @param settings of its environment, beside those that it needs or instead of them. */
  startWorker(settings?: NodeJS.ProcessEnv): Promise<WorkerProcess>;
  close(): Promise<void>;
}

/** @param place where the servers are, asked each time that a worker starts. */
export async function workersOn(place: () => NodeJS.ProcessEnv) {
  const bundle = await testBundle();
  const started = new Set<ChildProcess>();
  return {
    async start(settings: NodeJS.ProcessEnv = {}): Promise<WorkerProcess> {
      const worker = await spawnWorker({
        ...bareEnvironment(),
        EARSHOT_SECRET: TEST_SECRET,
        EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
        EARSHOT_WORKFLOW_BUNDLE: bundle,
        EARSHOT_NO_POLL: '1',
        // A second process would cost each worker its start, and no processor is idle.
        EARSHOT_READING_PROCESSES: '1',
        ...place(),
        ...settings,
      });
      started.add(worker.child);
      return worker;
    },
    /** Ends all that still run, at once. */
    kill() {
      for (const child of started) child.kill('SIGKILL');
    },
  };
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
