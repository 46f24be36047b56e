import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileTrouble, firstLines, UserFacingError } from '../../src/user-facing-error.js';
import { tryLock } from './lock.js';

/** What the last install was made from, beside the list that npm keeps. */
const DIGEST_FILE = join('node_modules', '.earshot-lock-digest');
/** The first Node that runs TypeScript without a flag. */
const NODE_NEEDED = [22, 18];

/** @param {string} project @returns {boolean} Whether `node_modules` holds what the lock file asks for. */
export function packagesAreInstalled(project) {
  try {
    const installed = statSync(join(project, 'node_modules', '.package-lock.json')).mtimeMs;
    if (installed >= statSync(join(project, 'package-lock.json')).mtimeMs) return true;
    // Switching branches touches the lock file without changing it.
    return readFileSync(join(project, DIGEST_FILE), 'utf8') === lockDigest(project);
  } catch {
    return false;
  }
}

/**
 * Runs `npm ci` when the packages are missing or older than the lock file. Two starts at once install once.
 * @param {string} project
 * @param {import('./steps.js').Steps} steps
 */
export async function installPackages(project, steps) {
  if (packagesAreInstalled(project)) return;
  const step = steps.begin('Installing packages');
  try {
    for (;;) {
      const lock = tryLock(join(project, '.earshot', 'install.lock'), 'npm ci');
      if (lock.taken) {
        try {
          if (packagesAreInstalled(project)) return step.done('done by another start');
          step.progress('');
          await npmCi(project);
          writeFileSync(join(project, DIGEST_FILE), lockDigest(project));
          return step.done('from package-lock.json');
        } finally {
          lock.release();
        }
      }
      step.progress(`by process ${lock.holder.pid}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  } catch (error) {
    step.dropped();
    throw fileTrouble(error, project) ?? error;
  }
}

/** @param {string} project @returns {string} The Node that comes with the packages, else this one when it is new enough. */
export function projectNode(project) {
  const own = join(project, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (existsSync(own) && spawnSync(own, ['--version'], { timeout: 20_000, stdio: 'ignore' }).status === 0) return own;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = NODE_NEEDED;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return process.execPath;
  throw new UserFacingError(
    `Earshot runs on Node 24, which npm installs as the package "node" and could not on this machine (scripts blocked, or an unusual processor): install Node 24 from nodejs.org, then start again (this is ${process.versions.node}).`,
  );
}

/** @param {string} project @returns {Promise<void>} */
function npmCi(project) {
  const viaNpm = process.env.npm_execpath;
  const [command, ...args] = viaNpm?.endsWith('.js') ? [process.execPath, viaNpm] : ['npm'];
  return new Promise((resolve, reject) => {
    const child = spawn(command ?? 'npm', [...args, 'ci', '--loglevel=error'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && !viaNpm,
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        printed = (printed + chunk).slice(-8_000);
      });
    }
    child.on('error', (error) =>
      reject(
        new UserFacingError(`npm could not be started (${error.message}): install it with Node, then start again.`),
      ),
    );
    child.on('close', (code) => (code === 0 ? resolve() : reject(npmTrouble(code, printed))));
  });
}

/** @param {number | null} code @param {string} printed @returns {UserFacingError} */
function npmTrouble(code, printed) {
  const [complaint = ''] = printed.replace(/^npm (error|ERR!) ?/gm, '').split('Clean install a project');
  return new UserFacingError(`${firstLines(complaint, 8)}\n${npmAdvice(code, printed)}`);
}

/** @param {number | null} code @param {string} printed @returns {string} */
function npmAdvice(code, printed) {
  if (/ENOSPC|no space left/i.test(printed))
    return 'The packages could not be installed because the disk is full: free 1.5 GB, then start again.';
  if (/EACCES|EPERM|EROFS/.test(printed))
    return 'The packages could not be installed because this user may not write here: change the owner of the project folder, then start again.';
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|network/i.test(printed))
    return 'The packages could not be fetched: connect this machine to the npm registry (or set `npm config set registry`), then start again.';
  return `The packages could not be installed (npm ci ended with code ${code}): fix what the lines above say, then start again.`;
}

/** @param {string} project */
function lockDigest(project) {
  return createHash('sha256')
    .update(readFileSync(join(project, 'package-lock.json')))
    .digest('hex');
}
