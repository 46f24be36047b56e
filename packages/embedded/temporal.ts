import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { fieldOf } from '../../src/domain/json.ts';
import { readJson, writeWhole } from '../../src/files.ts';
import { addMissingSearchAttributes } from '../../src/temporal/register-search-attributes.ts';
import { fileTrouble, lastLines, UserFacingError } from '../../src/user-facing-error.js';
import { tailOf } from './logs.ts';
import { becomesFree, freePort, freePortFrom } from './ports.ts';
import { diskFull } from './postgres-cluster.ts';
import { commandOf, isAlive, sendSignal } from './processes.js';
import { readTemporalDevFile, type TemporalDevFile } from './temporal-dev-file.ts';
import { answersAt, setRetention } from './temporal-namespace.ts';
import { becomesReady, endServer, serverFlags, serversOn, spawnServer } from './temporal-process.ts';
import { guardUi, hiddenLoopback, type UiPlace } from './temporal-ui.ts';

export interface RunningTemporal {
  address: string;
  uiUrl: string;
  namespace: string;
  pid: number;
  /** Whether it ran already, from an earlier start. */
  adopted: boolean;
  stop(): Promise<void>;
  /** Ends it at once; its file stays whole. */
  kill(): void;
}

export interface TemporalOptions {
  dataFolder: string;
  /** The `temporal` program; asked for only when no server runs yet. */
  binary(): Promise<string>;
  /** The ports to try first; the next free ones are taken otherwise. */
  port?: number;
  uiPort?: number;
  progress?(text: string): void;
}

const START_TRIES = 5;

/**
 * Starts the Temporal dev server of a data folder, or takes over the one that an earlier start left running. Two
 * servers on one file would both run, unrefused, so the process that has the file is looked for first.
 * @throws UserFacingError that says what is wrong and what to do.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  try {
    const dataFolder = realpathSync(options.dataFolder);
    const devFile = readTemporalDevFile();
    const file = join(dataFolder, 'temporal', 'temporal.db');
    const running = await adopt(dataFolder, file);
    const server = running ?? (await start({ ...options, dataFolder }, devFile, file));
    const ui = await guardUi(server.uiPort, server.uiBehind);
    if (ui.port !== server.uiPort) writeState(dataFolder, { ...server, uiPort: ui.port });
    const address = `127.0.0.1:${server.port}`;
    await prepareNamespace(address, devFile);
    return {
      address,
      uiUrl: `http://127.0.0.1:${ui.port}`,
      namespace: devFile.namespace,
      pid: server.pid,
      adopted: running !== null,
      async stop() {
        ui.close();
        await stopTemporal(dataFolder);
      },
      kill() {
        ui.close();
        sendSignal(server.pid, 'SIGKILL');
      },
    };
  } catch (error) {
    throw fileTrouble(error, options.dataFolder) ?? error;
  }
}

const serversOf = (dataFolder: string): number[] =>
  serversOn(join(realpathSync(dataFolder), 'temporal', 'temporal.db'), readState(dataFolder)?.pid);

/** Ends the dev server of a data folder at once, where nobody can wait. */
export function killTemporal(dataFolder: string): void {
  for (const pid of serversOf(dataFolder)) sendSignal(pid, 'SIGKILL');
}

/** Stops the dev server of a data folder, whoever started it. */
export async function stopTemporal(dataFolder: string): Promise<void> {
  for (const pid of serversOf(dataFolder)) await endServer(pid);
  rmSync(join(dataFolder, 'temporal.json'), { force: true });
}

/** The dev server of a data folder that runs now, whether or not it answers; null when there is none. */
export function runningTemporal(dataFolder: string): ServerState | null {
  const state = readState(dataFolder);
  return state && isAlive(state.pid) && commandOf(state.pid)?.includes('start-dev') ? state : null;
}

interface ServerState {
  pid: number;
  port: number;
  uiPort: number;
  uiBehind: UiPlace;
}

async function adopt(dataFolder: string, file: string): Promise<ServerState | null> {
  const state = readState(dataFolder);
  for (const pid of serversOn(file, state?.pid)) {
    if (state?.pid === pid && (await answersSoon(pid, `127.0.0.1:${state.port}`))) return state;
    // It has our file and nobody knows where it listens, or it does not answer: it must not stay.
    await endServer(pid);
  }
  return null;
}

async function answersSoon(pid: number, address: string): Promise<boolean> {
  for (let attempt = 0; attempt < 3 && isAlive(pid); attempt += 1) {
    if (await answersAt(address)) return true;
    await sleep(500);
  }
  return false;
}

async function start(options: TemporalOptions, devFile: TemporalDevFile, file: string): Promise<ServerState> {
  const binary = await options.binary();
  const before = readState(options.dataFolder);
  if (before !== null) await becomesFree(before.port);
  const log = join(options.dataFolder, 'logs', 'temporal.log');
  mkdirSync(join(file, '..'), { recursive: true });
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePortFrom(before?.port ?? options.port ?? 7233);
    const uiPort = before?.uiPort ?? options.uiPort ?? 8233;
    const from = tailOf(log).size;
    const uiBehind = { host: hiddenLoopback(), port: await freePort() };
    const pid = spawnServer(binary, serverFlags({ port, ui: uiBehind, file, devFile }), log);
    const state = { pid, port, uiPort, uiBehind };
    writeState(options.dataFolder, state);
    if (await becomesReady(pid, port)) return state;
    const said = tailOf(log, from).text;
    if (/no space left|database or disk is full/i.test(said)) throw diskFull(options.dataFolder);
    if (attempt === START_TRIES) {
      throw new UserFacingError(
        `The Temporal server does not start. Its last words, from ${log}:\n${lastLines(said, 4) || '(none)'}`,
      );
    }
    // Its inner ports are drawn at random and may clash: another draw is all it needs.
    await sleep(200);
  }
}

async function prepareNamespace(address: string, devFile: TemporalDevFile): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await addMissingSearchAttributes(connection, devFile.namespace);
    await setRetention(connection, devFile.namespace, devFile.retentionDays);
  } finally {
    await connection.close();
  }
}

function writeState(dataFolder: string, state: ServerState): void {
  writeWhole(join(dataFolder, 'temporal.json'), `${JSON.stringify(state)}\n`, 0o600);
}

function readState(dataFolder: string): ServerState | null {
  const state = readJson(join(dataFolder, 'temporal.json'));
  const [pid, port, uiPort] = ['pid', 'port', 'uiPort'].map((name) => fieldOf(state, name));
  const [host, behind] = ['host', 'port'].map((name) => fieldOf(fieldOf(state, 'uiBehind'), name));
  if (typeof pid !== 'number' || typeof port !== 'number' || typeof uiPort !== 'number') return null;
  if (typeof host !== 'string' || typeof behind !== 'number') return null;
  return { pid, port, uiPort, uiBehind: { host, port: behind } };
}
