import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process that can be recognised again: a number alone may have been given to another one since.
 * @typedef {object} ProcessMark
 * @property {number} pid
 * @property {string | null} started When it started, in the system's own form; null where the system does not tell.
 */

/** @param {number} pid @returns {boolean} Whether it runs; a zombie that nobody has collected does not. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
  return linuxStat(pid)?.state !== 'Z';
}

/** @param {number} pid @returns {ProcessMark} */
export function markProcess(pid) {
  return { pid, started: startOf(pid) };
}

/** @param {ProcessMark} mark @returns {boolean} Whether this very process still runs. */
export function isStillRunning(mark) {
  if (!Number.isInteger(mark.pid) || mark.pid <= 0 || !isAlive(mark.pid)) return false;
  return mark.started === null || startOf(mark.pid) === mark.started;
}

/** @param {number} pid @returns {string | null} Its command line, or null where that cannot be read. */
export function commandOf(pid) {
  if (process.platform === 'win32') return null;
  if (process.platform !== 'linux') {
    const listed = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 });
    return listed.status === 0 ? listed.stdout.trim() : null;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return null;
  }
}

/**
 * @param {number} pid
 * @param {number} timeoutMs
 * @returns {Promise<boolean>} Whether it has ended within that time.
 */
export async function waitForEnd(pid, timeoutMs) {
  const until = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

/** @param {number} pid @param {NodeJS.Signals} signal Sends it; a process that is gone is no error. */
export function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/** @param {number} pid @returns {string | null} */
function startOf(pid) {
  if (process.platform === 'linux') {
    const stat = linuxStat(pid);
    return stat ? `${bootId()}:${stat.startTicks}` : null;
  }
  if (process.platform === 'win32') return null;
  const listed = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 });
  return listed.status === 0 ? listed.stdout.trim() : null;
}

/** @param {number} pid @returns {{ state: string, startTicks: string } | null} */
function linuxStat(pid) {
  if (process.platform !== 'linux') return null;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name stands in brackets and may hold blanks: the fields are counted after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
  } catch {
    return null;
  }
}

function bootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
