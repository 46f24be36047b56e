import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testBundle } from './pipeline.ts';
import { lastingPort } from './ports.ts';
import { layCluster } from './prepared-cluster.ts';
import { makeScratch } from './scratch.ts';

const UP = fileURLToPath(new URL('../../cli/up.ts', import.meta.url));
const RUNS = /Earshot runs until Ctrl-C/;
const LINK = /http:\/\/\S+\/links#\S+/;

/** Everything that `npm start` brings up, in a folder of its own. */
export interface WebSystem {
  url: string;
  /** The one-time link of the first person. */
  link: string;
  stop(): Promise<void>;
}

/**
 * @param settings what its environment says besides.
 * @param options of `npm start`.
 */
export async function startWebSystem(
  settings: Record<string, string> = {},
  options: string[] = [],
): Promise<WebSystem> {
  const folder = makeScratch('earshot-web-');
  await layOut(folder);
  const port = await lastingPort();
  const child = spawn(process.execPath, [UP, '--port', String(port), ...options], {
    env: { ...process.env, DATABASE_URL: undefined, EARSHOT_SECRET: undefined, EARSHOT_DATA: folder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const said = await untilReady(child);
    return { url: `http://127.0.0.1:${port}`, link: LINK.exec(said)?.[0] ?? '', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What takes a first start longest, and another test proves: an empty schema, and the bundle of the workflows. */
async function layOut(folder: string): Promise<void> {
  const bundle = await testBundle();
  mkdirSync(join(folder, 'bundles'));
  copyFileSync(bundle, join(folder, 'bundles', basename(bundle)));
  if (await layCluster(folder)) writeFileSync(join(folder, 'secret'), randomBytes(32).toString('base64url'));
}

function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said += chunk;
        if (RUNS.test(said)) resolve(said);
      });
    }
    child.once('close', () => reject(new Error(`It ended before it was ready:\n${said}`)));
  });
}
