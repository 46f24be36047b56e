import { spawn, spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileTrouble, lastLines, UserFacingError } from '../../src/user-facing-error.js';
import { lockHolder, tryLock } from './lock.js';
import { TEMPORAL_CLI_VERSION, TEMPORAL_MIRROR, temporalArchive, temporalPackage } from './temporal-archives.js';

const BUILD_NOTE = 'building the server with Go (once, about 4 minutes, needs 4 GB of disk)';
export const HOW_TO_AVOID_THE_BUILD =
  'To skip the build, install the Temporal CLI (docs.temporal.io/cli) or set TEMPORAL_ADDRESS to a server of yours.';

const EXECUTABLE = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
const BUILD_SPACE_BYTES = 4e9;
const GO_MINOR_NEEDED = 25;

/** @typedef {{ path: string, source: 'package' | 'path' | 'cache' | 'download' | 'go' }} TemporalBinary */

/** @param {NodeJS.ProcessEnv} [env] @returns {string} The folder of this user's cache that keeps what is fetched once. */
export function cacheFolder(env = process.env) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'earshot');
}

/** @param {NodeJS.ProcessEnv} [env] @returns {string} Where the built or downloaded binary is kept. */
export function cachedBinaryPath(env = process.env) {
  return join(cacheFolder(env), `temporal-cli-${TEMPORAL_CLI_VERSION}`, EXECUTABLE);
}

/** @param {NodeJS.ProcessEnv} [env] @returns {TemporalBinary | null} What this machine has: as a package, on PATH, else in the cache. */
export function findTemporalBinary(env = process.env) {
  const packaged = packagedBinary();
  if (packaged !== null && answers(packaged, env)) return { path: packaged, source: 'package' };
  if (answers(EXECUTABLE, env)) return { path: EXECUTABLE, source: 'path' };
  const cached = cachedBinaryPath(env);
  return existsSync(cached) && answers(cached, env) ? { path: cached, source: 'cache' } : null;
}

/**
 * @param {(name: string) => string} [resolve] Finds a file of an installed package.
 * @returns {string | null} The program that an optional package of the server carries, of the server's own scope.
 */
export function packagedBinary(resolve = createRequire(import.meta.url).resolve) {
  const { name } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const scope = name.startsWith('@') ? `${name.split('/')[0]}/` : '';
  try {
    return join(
      resolve(`${scope}${temporalPackage(process.platform, process.arch)}/package.json`),
      '..',
      'bin',
      EXECUTABLE,
    );
  } catch {
    return null;
  }
}

/** @param {NodeJS.ProcessEnv} [env] @returns {Promise<string | null>} Why no binary can be fetched; null where its host's name resolves within a second. */
export async function whyNoDownload(env = process.env) {
  const archive = temporalArchive(process.platform, process.arch, env);
  if (archive === null) return `no build for ${process.platform} ${process.arch} is known`;
  if (!URL.canParse(archive.url)) return `${TEMPORAL_MIRROR} is not an address`;
  const { hostname } = new URL(archive.url);
  /** @type {Promise<string>} */
  const late = new Promise((resolve) => {
    setTimeout(resolve, 1_000, `${hostname} was not found within a second`).unref();
  });
  const resolved = lookup(hostname.replace(/^\[|\]$/g, '')).then(
    () => null,
    (error) => `${hostname} was not found (${error.code ?? error.message})`,
  );
  return Promise.race([resolved, late]);
}

/** @param {NodeJS.ProcessEnv} [env] @returns {string | null} Why Go cannot build the server here, or null when it can. */
export function whyNoBuild(env = process.env) {
  const asked = spawnSync('go', ['env', 'GOVERSION'], {
    env: { ...env, GOTOOLCHAIN: 'local' },
    encoding: 'utf8',
    timeout: 20_000,
  });
  if (asked.error || asked.status !== 0) return 'Go is not installed';
  const version = /go1\.(\d+)/.exec(asked.stdout);
  if (version && Number(version[1]) < GO_MINOR_NEEDED) {
    return `Go ${asked.stdout.trim().replace(/^go/, '')} is too old (1.${GO_MINOR_NEEDED} is needed)`;
  }
  const free = freeBytes(homedir());
  if (free !== null && free < BUILD_SPACE_BYTES) {
    return `building it needs 4 GB of free disk and ${homedir()} has ${(free / 1e9).toFixed(1)} GB`;
  }
  return null;
}

/** @param {string} why @param {string | null} noDownload @returns {UserFacingError} What a person can do when no server can be had. */
function noTemporalServer(why, noDownload) {
  const download = noDownload === null ? 'none could be downloaded' : `none could be downloaded (${noDownload})`;
  return new UserFacingError(
    `There is no Temporal server to run on: no \`temporal\` command was found, ${download}, and ${why}. ` +
      `Install the Temporal CLI (docs.temporal.io/cli), set ${TEMPORAL_MIRROR} to a copy of its releases, install Go 1.25 or later, or set TEMPORAL_ADDRESS to a server of yours; then start again.`,
  );
}

/** @param {NodeJS.ProcessEnv} [env] @returns {boolean} Whether another process is building the binary now. */
export function isBeingBuilt(env = process.env) {
  return lockHolder(buildLock(env)) !== null;
}

/**
 * Builds the server once into the user's cache, or waits for the process that is building it. The final name only
 * ever holds a complete binary, and what Go has compiled before an interruption is not compiled again.
 * @param {{ env?: NodeJS.ProcessEnv, progress?: (text: string) => void, signal?: AbortSignal, noDownload?: string | null }} [options]
 *   `noDownload`: why it was not downloaded.
 * @returns {Promise<TemporalBinary>}
 */
export async function buildTemporalBinary({ env = process.env, progress = () => {}, signal, noDownload = null } = {}) {
  const target = cachedBinaryPath(env);
  const folder = join(target, '..');
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw fileTrouble(error, folder) ?? error;
  }
  for (;;) {
    if (existsSync(target)) return { path: target, source: 'go' };
    const lock = tryLock(buildLock(env), BUILD_NOTE);
    if (lock.taken) {
      try {
        if (!existsSync(target)) await build(folder, target, { env, progress, signal, noDownload });
      } finally {
        lock.release();
      }
      continue;
    }
    progress(`${BUILD_NOTE}, in process ${lock.holder.pid}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    signal?.throwIfAborted();
  }
}

/**
 * @param {string} folder
 * @param {string} target
 * @param {{ env: NodeJS.ProcessEnv, progress: (text: string) => void, signal: AbortSignal | undefined, noDownload: string | null }} options
 */
async function build(folder, target, { env, progress, signal, noDownload }) {
  const why = whyNoBuild(env);
  if (why) throw noTemporalServer(why, noDownload);
  progress(BUILD_NOTE);
  for (const left of readdirSync(folder)) {
    if (left.startsWith('draft-')) rmSync(join(folder, left), { recursive: true, force: true });
  }
  const draft = join(folder, `draft-${process.pid}`);
  try {
    await goInstall(draft, { env, signal, noDownload });
    renameSync(join(draft, EXECUTABLE), target);
  } catch (error) {
    throw fileTrouble(error, folder) ?? error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @param {string} draft @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal | undefined, noDownload: string | null }} options @returns {Promise<void>} */
function goInstall(draft, { env, signal, noDownload }) {
  const source = `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI_VERSION}`;
  return new Promise((resolve, reject) => {
    // The same flags everywhere: others would compile everything again.
    const child = spawn('go', ['install', '-ldflags', '-s -w', source], {
      env: { ...env, GOBIN: draft, CGO_ENABLED: '0', GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    let printed = '';
    child.stderr.on('data', (chunk) => {
      printed = (printed + chunk).slice(-8_000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(goTrouble(code, printed, noDownload));
    });
  });
}

/** @param {number | null} code @param {string} printed @param {string | null} noDownload @returns {UserFacingError} */
function goTrouble(code, printed, noDownload) {
  if (/no space left on device/i.test(printed)) {
    return new UserFacingError(
      'The disk filled up while Go was building the Temporal server: free 4 GB, then start again.',
    );
  }
  if (/dial tcp|no such host|proxyconnect|i\/o timeout|connection refused/i.test(printed)) {
    return noTemporalServer('Go could not fetch its source from the network', noDownload);
  }
  return noTemporalServer(
    `building it with Go ended with code ${code} (${lastLines(printed, 2).replaceAll('\n', '; ')})`,
    noDownload,
  );
}

/** @param {string} command @param {NodeJS.ProcessEnv} env @returns {boolean} */
function answers(command, env) {
  return spawnSync(command, ['--version'], { env, timeout: 10_000, stdio: 'ignore' }).status === 0;
}

/** @param {NodeJS.ProcessEnv} env */
function buildLock(env) {
  return join(cachedBinaryPath(env), '..', 'build.lock');
}

/** @param {string} folder @returns {number | null} */
function freeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
