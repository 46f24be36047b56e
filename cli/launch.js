import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages, packagesAreInstalled, projectNode } from '../packages/embedded/packages.js';
import { createSteps } from '../packages/embedded/steps.js';
import {
  buildTemporalBinary,
  findTemporalBinary,
  HOW_TO_AVOID_THE_BUILD,
  whyNoBuild,
  whyNoDownload,
} from '../packages/embedded/temporal-binary.js';
import { namesTemporalServer } from '../packages/embedded/temporal-environment.js';
import { UserFacingError } from '../src/user-facing-error.js';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
/** What each script runs once the packages are there, and whether it wants a Temporal server. */
const SCRIPTS = {
  up: { entry: 'cli/up.ts', temporal: true },
  test: { entry: 'test/run.ts', temporal: true },
  check: { entry: 'test/check/run.ts', temporal: false },
  bench: { entry: 'test/bench/run.ts', temporal: false },
  'demo:site': { entry: 'test/web/demo-site.ts', temporal: true },
  pictures: { entry: 'test/web/pictures.ts', temporal: true },
  eval: { entry: 'test/eval/run.ts', temporal: false },
  faults: { entry: 'test/faults/drive/run.ts', temporal: true },
  load: { entry: 'test/load/run.ts', temporal: false },
  fuzz: { entry: 'test/fuzz/fuzz.ts', temporal: false },
};

/**
 * Installs what is missing, then runs the script under the project's own Node and ends as it ends.
 * @param {string} name
 * @param {string[]} args Passed through.
 */
export async function launch(name, args) {
  const script = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[/** @type {keyof typeof SCRIPTS} */ (name)] : null;
  if (!script || !existsSync(join(PROJECT, script.entry))) {
    process.stderr.write(`There is no script "${name}": use ${Object.keys(SCRIPTS).join(', ')}.\n`);
    process.exitCode = 2;
    return;
  }
  const steps = createSteps(process.stdout);
  const build = new AbortController();
  try {
    if (script.temporal && !packagesAreInstalled(PROJECT)) await startBuildBeside(steps, build.signal);
    await installPackages(PROJECT, steps);
    process.exitCode = await run(projectNode(PROJECT), join(PROJECT, script.entry), args);
  } catch (error) {
    const trouble =
      error instanceof UserFacingError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${trouble ?? ''}\n`);
    process.exitCode = 1;
  } finally {
    build.abort();
  }
}

/**
 * Where only Go can give a Temporal server, its four minutes run beside the install. The script that needs the
 * server waits for this build, or repeats it and says what went wrong.
 * @param {import('../packages/embedded/steps.js').Steps} steps
 * @param {AbortSignal} signal
 */
async function startBuildBeside(steps, signal) {
  if (namesTemporalServer(process.env) || findTemporalBinary()) return;
  if ((await whyNoDownload()) === null || whyNoBuild() !== null) return;
  steps.say(
    'The Temporal server is not on this machine and cannot be downloaded: Go builds it beside the install (once, about 4 minutes, 4 GB of disk).',
  );
  steps.say(HOW_TO_AVOID_THE_BUILD);
  buildTemporalBinary({ signal }).catch(() => {});
}

/**
 * @param {string} node
 * @param {string} entry
 * @param {string[]} args
 * @returns {Promise<number>} The exit code to end with.
 */
function run(node, entry, args) {
  return new Promise((resolve, reject) => {
    // The channel tells the script when this process is gone, however it went.
    const child = spawn(node, [entry, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    child.on('error', reject);
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.on(signal, () => child.kill(signal));
    const stopWatching = watchParent(() => child.kill('SIGTERM'));
    child.on('exit', (code, signal) => {
      stopWatching();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 1));
    });
  });
}

/** Under npm, the script ends when npm has been killed. @param {() => void} onGone @returns {() => void} */
function watchParent(onGone) {
  if (!process.env.npm_lifecycle_event) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 1_000);
  timer.unref();
  return () => clearInterval(timer);
}
