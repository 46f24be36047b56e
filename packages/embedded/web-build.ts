import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as nap } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lastLines, UserFacingError } from '../../src/user-facing-error.js';
import { tryLock } from './lock.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = join(PROJECT, 'web', 'dist');
/** What the files there were built from. */
const DIGEST_FILE = '.sources';
const LOCK = join(PROJECT, '.earshot', 'web-build.lock');
const VITE = join(PROJECT, 'node_modules', 'vite', 'bin', 'vite.js');
/** This file too: how it builds is part of what comes out. */
const SOURCES = [
  'web/**/*.{ts,tsx,css,html,js,svg}',
  'src/domain/*.ts',
  'packages/embedded/web-build.ts',
  'release/bundled.ts',
  'package-lock.json',
];
/** Whoever starts the build, tests included, gets what is delivered. */
const ENVIRONMENT = { ...process.env, NODE_ENV: 'production' };
const NOT_SOURCES = ['web/dist*/**', 'web/client/generator/**'];
const ASK_AGAIN_MS = 200;

export type WebBuild = 'built' | 'there already' | 'as it was delivered';

/**
 * Builds the web app where its sources have changed since. A delivery without what builds keeps the files that it
 * brought along. Two starts at once build once.
 * @throws UserFacingError with the last lines of the builder.
 */
export async function buildWeb(signal?: AbortSignal): Promise<WebBuild> {
  if (!existsSync(VITE) && existsSync(join(BUILT, 'index.html'))) return 'as it was delivered';
  const digest = sourcesDigest();
  for (;;) {
    if (isBuiltFrom(digest)) return 'there already';
    const lock = tryLock(LOCK, 'building the web app');
    if (lock.taken) {
      try {
        await build(digest, signal);
        return 'built';
      } finally {
        lock.release();
      }
    }
    await nap(ASK_AGAIN_MS, undefined, { signal });
  }
}

function isBuiltFrom(digest: string): boolean {
  const file = join(BUILT, DIGEST_FILE);
  return existsSync(file) && readFileSync(file, 'utf8') === digest;
}

function sourcesDigest(): string {
  const hash = createHash('sha256');
  for (const name of globSync(SOURCES, { cwd: PROJECT, exclude: NOT_SOURCES }).sort()) {
    hash.update(`${name}\n`).update(readFileSync(join(PROJECT, name)));
  }
  return hash.digest('hex');
}

/** Beside the folder that is served, which is exchanged only for a whole one. */
async function build(digest: string, signal: AbortSignal | undefined): Promise<void> {
  const [made, old] = [`${BUILT}-new`, `${BUILT}-old`];
  await runVite(made, signal);
  writeFileSync(join(made, DIGEST_FILE), digest);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(BUILT)) renameSync(BUILT, old);
  renameSync(made, BUILT);
  rmSync(old, { recursive: true, force: true });
}

function runVite(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const args = ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [VITE, ...args], {
      cwd: PROJECT,
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => {
      printed = (printed + chunk).slice(-8_000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new UserFacingError(`The web app could not be built:\n${lastLines(printed, 8)}`));
    });
  });
}
