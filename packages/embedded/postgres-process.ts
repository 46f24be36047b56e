import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { fieldOf } from '../../src/domain/json.ts';
import type { Place } from './place.ts';
import { programOptions, SUPERUSER } from './postgres-cluster.ts';
import { commandOf, isAlive, sendSignal, waitForEnd } from './processes.js';

/** For a machine with 2 cores and 4 GiB that also runs Temporal and the workers. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: '100',
  max_wal_size: '512MB',
  // After a checkpoint each page goes whole into the log the first time that it changes: up to half of an import's log.
  wal_compression: 'pglz',
  log_line_prefix: '%m [%p] ',
};
/** For what nobody has to keep: the files of a test run share such a server, with the processes that they start. */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };
const WRONG_PASSWORD = '28P01';
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 30_000;

export interface ServerProcess {
  pid: number;
  port: number;
}

export interface SpawnOptions {
  place: Place;
  /** The cluster's folder. */
  folder: string;
  port: number;
  log: string;
  durable: boolean;
}

/** @returns the process id, or -1 when it could not be spawned. */
export function spawnServer({ place, folder, port, log, durable }: SpawnOptions): number {
  const settings = Object.entries({ ...SETTINGS, ...(durable ? {} : NOT_DURABLE) });
  const handle = openSync(log, 'a', 0o600);
  try {
    // In a session of its own, so that Ctrl-C in the terminal reaches our own stopping order and not the server.
    const child = spawn(
      join(place.programs, 'bin', 'postgres'),
      ['-D', folder, '-p', String(port), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...programOptions(place), detached: true, stdio: ['ignore', handle, handle] },
    );
    child.on('error', () => {});
    child.unref();
    return child.pid ?? -1;
  } finally {
    closeSync(handle);
  }
}

/** Waits while the server says that it is still starting; false when it is another's, or gone. */
export async function becomesReady({ pid, port }: ServerProcess, password: string, folder: string): Promise<boolean> {
  const until = Date.now() + READY_WITHIN_MS;
  while (pid > 0 && isAlive(pid) && Date.now() < until) {
    const answer = await whoAnswers(port, password);
    if (answer !== 'nobody yet') return answer === folder;
    await sleep(50);
  }
  return false;
}

/** A connect can succeed against somebody else's cluster on the same port: only the folder tells. */
async function whoAnswers(port: number, password: string): Promise<string> {
  const client = new pg.Client({ connectionString: urlOf(port, password, 'postgres'), connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
    return rows[0]?.folder ?? '';
  } catch (error) {
    return fieldOf(error, 'code') === WRONG_PASSWORD ? 'a stranger' : 'nobody yet';
  } finally {
    await client.end().catch(() => {});
  }
}

/** Ends the server of this folder: connections are closed, everything is written. */
export async function stopServer(folder: string): Promise<void> {
  const found = serverOn(folder);
  if (!found) return;
  sendSignal(found.pid, 'SIGINT');
  if (await waitForEnd(found.pid, STOP_WITHIN_MS)) return;
  sendSignal(found.pid, 'SIGQUIT');
  await waitForEnd(found.pid, 5_000);
}

/**
 * The server that runs on this folder. The first line of `postmaster.pid` is the process, the fourth the port; a
 * number that the system has given to another program since is not it.
 */
export function serverOn(folder: string): ServerProcess | null {
  const lines = readText(join(folder, 'postmaster.pid'))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0 && port > 0) || !isAlive(pid)) return null;
  return commandOf(pid)?.includes(folder) === false ? null : { pid, port };
}

/** A pid file whose process is another program by now would keep the server from starting. */
export function removeStalePidFile(folder: string): void {
  const file = join(folder, 'postmaster.pid');
  const pid = Number.parseInt(readText(file) ?? '', 10);
  if (pid > 0 && isAlive(pid) && commandOf(pid)?.includes('postgres') === false) rmSync(file, { force: true });
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

export function urlOf(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}
