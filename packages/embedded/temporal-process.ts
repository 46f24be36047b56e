import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isListening, listensOn } from './ports.ts';
import { commandOf, isAlive, sendSignal, waitForEnd } from './processes.js';
import type { TemporalDevFile } from './temporal-dev-file.ts';
import { answersAt } from './temporal-namespace.ts';
import type { UiPlace } from './temporal-ui.ts';

const READY_WITHIN_MS = 20_000;
const STOP_WITHIN_MS = 10_000;
/** A server that finds its port taken says so and ends; where nobody can tell whose port it is, that is waited for. */
const LOSER_ENDS_WITHIN_MS = 1_000;

/** The command line of the server: what `temporal-dev.yaml` says, and where it listens and stores. */
export function serverFlags({
  port,
  ui,
  file,
  devFile,
}: {
  port: number;
  ui: UiPlace;
  file: string;
  devFile: TemporalDevFile;
}): string[] {
  return [
    'server',
    'start-dev',
    '--log-level=error',
    '--ip=127.0.0.1',
    `--port=${port}`,
    `--ui-ip=${ui.host}`,
    `--ui-port=${ui.port}`,
    `--db-filename=${file}`,
    `--namespace=${devFile.namespace}`,
    ...devFile.pragmas.map((pragma) => `--sqlite-pragma=${pragma}`),
    ...Object.entries(devFile.searchAttributes).map(([name, type]) => `--search-attribute=${name}=${type}`),
  ];
}

/** @returns the process id, or -1 when it could not be spawned. */
export function spawnServer(binary: string, args: string[], log: string): number {
  const handle = openSync(log, 'a', 0o600);
  try {
    // In a session of its own, so that Ctrl-C in the terminal reaches our own stopping order and not the server.
    const child = spawn(binary, args, { detached: true, stdio: ['ignore', handle, handle] });
    child.on('error', () => {});
    child.unref();
    return child.pid ?? -1;
  } finally {
    closeSync(handle);
  }
}

/** False when it ended, or does not answer in time: then it is ended. */
export async function becomesReady(pid: number, port: number): Promise<boolean> {
  const until = Date.now() + READY_WITHIN_MS;
  while (pid > 0 && isAlive(pid) && Date.now() < until) {
    // The client waits a second after a refused connection, so the port is asked first.
    if ((await isListening(port)) && (await answersAt(`127.0.0.1:${port}`))) return await isItsPort(pid, port);
    await sleep(50);
  }
  if (pid > 0) sendSignal(pid, 'SIGKILL');
  return false;
}

/** Two starts may have drawn one port: the answer then comes from the other server, and ours is about to end. */
async function isItsPort(pid: number, port: number): Promise<boolean> {
  const owner = listensOn(pid, port);
  if (owner !== null) return owner;
  await sleep(LOSER_ENDS_WITHIN_MS);
  return isAlive(pid);
}

/** The processes that serve this database file: the noted one, and on Linux any other. */
export function serversOn(file: string, noted: number | undefined): number[] {
  const listed =
    process.platform === 'linux'
      ? readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .map(Number)
      : [];
  const candidates = new Set(noted === undefined ? listed : [noted, ...listed]);
  return [...candidates].filter((pid) => isAlive(pid) && commandOf(pid)?.includes(`--db-filename=${file} `));
}

export async function endServer(pid: number): Promise<void> {
  sendSignal(pid, 'SIGTERM');
  if (!(await waitForEnd(pid, STOP_WITHIN_MS))) sendSignal(pid, 'SIGKILL');
  await waitForEnd(pid, 1_000);
}
