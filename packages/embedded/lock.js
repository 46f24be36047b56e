import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isStillRunning, markProcess } from './processes.js';

/**
 * Who holds a lock file.
 * @typedef {import('./processes.js').ProcessMark & { since: string, note: string }} LockHolder
 */

/** @typedef {{ taken: true, release: () => void } | { taken: false, holder: LockHolder }} LockAttempt */

/**
 * Takes a lock file, or says who holds it. A lock whose process has died counts as free.
 * @param {string} file
 * @param {string} note What the holder does, in words.
 * @returns {LockAttempt}
 */
export function tryLock(file, note) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify({ ...markProcess(process.pid), since: new Date().toISOString(), note });
  const draft = `${file}.${process.pid}`;
  // A link appears whole or not at all, so that no reader ever sees a lock without its holder.
  writeFileSync(draft, mine);
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      if (linked(draft, file)) return { taken: true, release: () => releaseLock(file, mine) };
      const text = readText(file);
      if (text === null) continue;
      const holder = parseHolder(text);
      if (holder && isStillRunning(holder)) return { taken: false, holder };
      removeStale(file, text);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new Error(`The lock file ${file} changes faster than it can be read; try again.`);
}

/** @param {string} file @returns {LockHolder | null} Who holds the lock now. */
export function lockHolder(file) {
  const text = readText(file);
  const holder = text === null ? null : parseHolder(text);
  return holder && isStillRunning(holder) ? holder : null;
}

/** @param {string} file @param {string} mine */
function releaseLock(file, mine) {
  if (readText(file) === mine) rmSync(file, { force: true });
}

/** Two waiters may see the same dead lock: the second must not remove the lock that the first has just taken. @param {string} file @param {string} stale */
function removeStale(file, stale) {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (readText(aside) !== stale) linked(aside, file);
  rmSync(aside, { force: true });
}

/** @param {string} from @param {string} to @returns {boolean} */
function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file @returns {string | null} */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** @param {string} text @returns {LockHolder | null} */
function parseHolder(text) {
  try {
    const holder = JSON.parse(text);
    return typeof holder?.pid === 'number' ? holder : null;
  } catch {
    return null;
  }
}
