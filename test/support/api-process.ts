import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/embedded/ports.ts';
import { bareEnvironment } from './bare-environment.ts';
import { killAtExit } from './kill-at-exit.ts';

const ENTRY = fileURLToPath(new URL('../../api/server.ts', import.meta.url));
/** The secret of `createWorld`, so that both read what the other wrote. */
const SECRET = 'a secret of the tests, 32 characters or more';

export interface ApiProcess {
  url: string;
  child: ChildProcess;
  /** All that it wrote, on both channels. */
  said(): string;
  stop(): Promise<void>;
}

/** The product's own API process on a database of the tests, at a free port. */
export async function startApi(databaseUrl: string, env: Record<string, string> = {}): Promise<ApiProcess> {
  for (let tries = 0; ; tries += 1) {
    const started = await spawnApi(databaseUrl, env);
    if ('url' in started) return started;
    if (tries === 5 || !started.said.includes('EARSHOT_PORT'))
      throw new Error(`The API did not start: ${started.said}`);
  }
}

async function spawnApi(databaseUrl: string, env: Record<string, string>): Promise<ApiProcess | { said: string }> {
  const port = await freePort();
  const child = spawn(process.execPath, [ENTRY], {
    env: {
      ...bareEnvironment(),
      DATABASE_URL: databaseUrl,
      EARSHOT_SECRET: SECRET,
      EARSHOT_PORT: String(port),
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  killAtExit(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const isReady = await new Promise<boolean>((resolve) => {
    if (child.stdout) createInterface({ input: child.stdout }).once('line', () => resolve(true));
    void ended.then(() => resolve(false));
  });
  if (!isReady) return { said };
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    said: () => said,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
