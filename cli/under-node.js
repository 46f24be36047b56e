import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a file under another Node, passes signals on, and ends as it ends.
 * @param {string} node
 * @param {string} file
 * @param {string[]} args
 */
export function runUnder(node, file, args) {
  const child = spawn(node, [file, ...args], { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 1);
  });
}
